// Worker: requests go in, one at a time; the module's answers come out. Whoever made it ends it if it takes too long.

export {};

interface Exports {
  memory: WebAssembly.Memory;
  room(length: number): number;
  answer(): number;
  answered(): number;
}

let exports: Promise<Exports> | undefined;

async function answer(request: unknown): Promise<unknown> {
  const module = await exports!;
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const at = module.room(bytes.length);
  new Uint8Array(module.memory.buffer, at, bytes.length).set(bytes);
  const length = module.answer();
  const told = new Uint8Array(module.memory.buffer, module.answered(), length);
  return JSON.parse(new TextDecoder().decode(told));
}

self.onmessage = async (event: MessageEvent) => {
  const { module, id, request } = event.data;
  if (module) {
    exports = WebAssembly.instantiate(module as WebAssembly.Module, {}).then(
      (instance) => instance.exports as unknown as Exports,
    );
    return;
  }
  try {
    self.postMessage({ id, answer: await answer(request) });
  } catch (error) {
    // A trap: memory or stack is at an end. The module cannot go on after it.
    self.postMessage({ id, trap: String(error) });
  }
};

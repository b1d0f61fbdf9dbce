// Engine: requests go in; answers come out of a worker, which is ended and replaced when it takes too long or runs out of
// memory.

import wasmUrl from "../built/lusoria.wasm?url";

/** An answer that says what is wrong. */
export class Refused extends Error {}
/** The worker was ended. */
export class Stopped extends Error {}

let compiled: Promise<WebAssembly.Module> | undefined;

function theModule(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compileStreaming(fetch(wasmUrl)).catch(async () => {
    // A server may not know the type of the file.
    const response = await fetch(wasmUrl);
    return WebAssembly.compile(await response.arrayBuffer());
  });
  return compiled;
}

export class Engine {
  private worker: Worker | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private number = 0;
  /** Ends the question that is being answered. */
  private endAsked: (() => void) | undefined;
  /** Grows by one whenever what the worker knew is gone. */
  generation = 0;

  constructor(
    private readonly what: string,
    private readonly limit = 10_000,
  ) {}

  /** Asks when all earlier questions are answered. */
  ask<T>(request: Record<string, unknown>, limit = this.limit): Promise<T> {
    const asked = this.queue.then(() => this.askNow<T>(request, limit));
    this.queue = asked.catch(() => undefined);
    return asked;
  }

  private async askNow<T>(request: Record<string, unknown>, limit: number): Promise<T> {
    const module = await theModule();
    if (!this.worker) {
      this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
      this.worker.postMessage({ module });
    }
    const worker = this.worker;
    const id = ++this.number;
    return new Promise<T>((resolve, reject) => {
      const end = (words: string) => {
        clearTimeout(timer);
        worker.terminate();
        this.endAsked = undefined;
        this.worker = undefined;
        this.generation++;
        reject(new Stopped(words));
      };
      this.endAsked = () => end(`${this.what} was stopped`);
      const timer = setTimeout(
        () => end(`${this.what} took longer than ${Math.round(limit / 1000)} seconds and was stopped`),
        limit,
      );
      worker.onmessage = ({ data }) => {
        if (data.id !== id) return;
        clearTimeout(timer);
        this.endAsked = undefined;
        if (data.trap) end(`${this.what} needs more memory, or is nested deeper, than a browser allows`);
        else if (data.answer.error) reject(new Refused(data.answer.error));
        else resolve(data.answer as T);
      };
      worker.onerror = (event) => {
        end(`${this.what} stopped: ${event.message}`);
      };
      worker.postMessage({ id, request });
    });
  }

  /** Ends what is being done: whoever asked is told so. */
  stop(): void {
    this.endAsked?.();
    this.worker?.terminate();
    this.worker = undefined;
    this.generation++;
    this.queue = Promise.resolve();
  }
}

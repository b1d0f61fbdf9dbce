// Store: files and games go in; what the browser keeps, and what a link says, come out.

import type { Settings } from "./types";

/** What is open: a text, the variant that is played, and the game as far as it has gone. */
export interface Sheet {
  /** The shipped game that the text is or was. */
  base: string | null;
  text: string;
  variant: string | null;
  /** Values of params other than those of the text; links of before have none. */
  params?: Settings;
  start: string | null;
  seed: number;
  moves: string[];
}

export interface Kept {
  id: string;
  title: string;
  text: string;
  base: string | null;
  changed: number;
}

const FILES = "lusoria.files";
const CURRENT = "lusoria.current";
const THEME = "lusoria.theme";
const MOST_FILES = 100;

function read<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text ? (JSON.parse(text) as T) : otherwise;
  } catch {
    return otherwise;
  }
}

function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** The files that were written here, the latest first. */
export function files(): Kept[] {
  const kept = read<Kept[]>(FILES, []);
  return Array.isArray(kept) ? kept : [];
}

/** Keeps a file; whether the browser has room for it. */
export function keep(file: Kept): boolean {
  const others = files().filter((other) => other.id !== file.id);
  return write(FILES, [file, ...others].slice(0, MOST_FILES));
}

export function forget(id: string): void {
  write(FILES, files().filter((file) => file.id !== id));
}

export interface Current {
  sheet: Sheet;
  id: string | null;
}

export function current(): Current | null {
  const found = read<Current | null>(CURRENT, null);
  return found && typeof found.sheet?.text === "string" ? found : null;
}

export function setCurrent(now: Current): void {
  write(CURRENT, now);
}

export function theme(): string {
  return read<string>(THEME, "auto");
}

export function setTheme(name: string): void {
  write(THEME, name);
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(piped as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

/** A sheet as the part of a link behind `#`. */
export async function fragment(sheet: Sheet): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(sheet));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return "1" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function areSettings(params: unknown): params is Settings {
  if (typeof params !== "object" || params === null || Array.isArray(params)) return false;
  return Object.values(params).every((value) => typeof value === "boolean" || Number.isSafeInteger(value));
}

/** What a link says; `null`: nothing that can be read. */
export async function unpacked(link: string): Promise<Partial<Sheet> | null> {
  try {
    if (!link.startsWith("1")) return null;
    const text = atob(link.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const sheet = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    const isText = (one: unknown) => typeof one === "string";
    const isWord = (one: unknown) => one === null || isText(one);
    const fits =
      typeof sheet === "object" &&
      sheet !== null &&
      isWord(sheet.base) &&
      (sheet.text === undefined || isText(sheet.text)) &&
      isWord(sheet.variant) &&
      (sheet.params === undefined || areSettings(sheet.params)) &&
      isWord(sheet.start) &&
      Array.isArray(sheet.moves) &&
      sheet.moves.every(isText);
    return fits ? { ...sheet, seed: Number(sheet.seed) >>> 0 } : null;
  } catch {
    return null;
  }
}

// Answers of the module.

export interface ShippedGame {
  name: string;
  title: string;
  variants: string[];
  text: string;
}

export interface Diagnostic {
  code: string;
  severity: "error" | "warning";
  message: string;
  help: string | null;
  label: string;
  line: number;
  column: number;
  file: string;
  place: [number, number] | null;
  other: { message: string; place: [number, number] | null } | null;
  more: number;
}

export interface CheckedGame {
  name: string;
  variant: string | null;
  players: string[];
  has_examples: boolean;
  /** With the values of the text. */
  params: { name: string; value: Setting }[];
}

export interface Checked {
  title: string | null;
  games: CheckedGame[];
  has_errors: boolean;
  diagnostics: Diagnostic[];
}

export interface Option {
  kind: string;
  text: string;
  cells: number[];
  captures?: boolean;
  count: number;
}

export interface View {
  svg: string | null;
  men: string[];
  mover: number;
  chooser: number | null;
  chosen: number[];
  chosen_text: string | null;
  options: Option[];
  more_options: number;
  moves: number;
  played: [string, number | null][];
  position: string;
  hash: string;
  outcome: { winners: string[]; by: number; text: string } | null;
  fault: string | null;
}

export interface Opened {
  name: string;
  players: string[];
  colours: string[];
  cells: { name: string; x: number; y: number }[];
  start: string;
  view: View;
}

export interface Line {
  move: string;
  visits: number;
  value: number;
  proven: number | null;
  moves: string[];
  cells: number[];
}

export interface Thought {
  playouts: number;
  proven: number | null;
  lines: Line[];
}

export interface Counted {
  games: number;
  results: { winners: string[] | null; line: string; count: number }[];
  lengths: [number, number][];
}

export interface Covered {
  games: number;
  turns: number;
  /** Line, how often it was used, whether a rule of it never was. */
  lines: [number, number, boolean][];
  unused: { line: number; kind: string; rule: string }[];
}

/** The value of a param. */
export type Setting = number | boolean;
export type Settings = Record<string, Setting>;

/** A text of rules and what is chosen of it. */
export interface Rules {
  text: string;
  variant: string | null;
  /** Values of params other than those of the text. */
  params: Settings;
}

export function areSame(one: Rules | undefined, other: Rules): boolean {
  return one !== undefined && one.text === other.text && one.variant === other.variant && JSON.stringify(one.params) === JSON.stringify(other.params);
}

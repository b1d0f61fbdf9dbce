// Language: words of the reference go in; highlighting, completion and hover for the editor come out.

import { type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting, type StreamParser } from "@codemirror/language";
import { hoverTooltip } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { explained, keywords, reserved } from "virtual:words";
import { h, prose } from "./dom";

const RESERVED = new Set(reserved);
const SECTIONS = new Set(
  "game about param players teams board piece pattern define action remember setup opening move end variant example notation alias".split(
    " ",
  ),
);
const BUILTIN = new Set(Object.keys(explained).filter((word) => !keywords.includes(word)));
const DECLARING = new Set(["piece", "pattern", "define", "action", "param", "remember", "let", "pick"]);

interface State {
  inString: boolean;
  after: string;
}

const parser: StreamParser<State> = {
  name: "lusoria",
  startState: () => ({ inString: false, after: "" }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.inString) {
      if (stream.skipTo('"')) {
        stream.next();
        state.inString = false;
      } else stream.skipToEnd();
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.eat('"')) {
      state.inString = !stream.skipTo('"');
      if (state.inString) stream.skipToEnd();
      else stream.next();
      return "string";
    }
    if (stream.match(/^\d+/)) return "number";
    if (stream.match(/^[A-Z]\w*/)) return "typeName";
    if (stream.match(/^[a-z]{1,2}\d+\b/)) return "atom";
    const word = stream.match(/^[a-z_]\w*/);
    if (word && word !== true) {
      const text = word[0];
      const before = state.after;
      state.after = text;
      if (DECLARING.has(before) && !RESERVED.has(text)) return "variableName.definition";
      if (SECTIONS.has(text)) return "keyword";
      if (RESERVED.has(text)) return "controlKeyword";
      if (BUILTIN.has(text)) return "variableName.standard";
      return "variableName";
    }
    state.after = "";
    if (stream.match(/^(\.\.|!=|<=|>=|[-+*/=<>?^])/)) return "operator";
    stream.next();
    return "punctuation";
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["{", "(", '"'] } },
};

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-section)", fontWeight: "600" },
  { tag: tags.controlKeyword, color: "var(--code-word)" },
  { tag: tags.standard(tags.variableName), color: "var(--code-builtin)" },
  { tag: tags.definition(tags.variableName), color: "var(--code-name)", fontWeight: "600" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.number, tags.atom], color: "var(--code-number)" },
  { tag: tags.typeName, color: "var(--code-player)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.operator, tags.punctuation], color: "var(--code-mark)" },
]);

interface Declared {
  name: string;
  kind: string;
  line: string;
}

/** What a text declares: the lines alone, as they stand there. */
function declared(text: string): Declared[] {
  const found = text.matchAll(/^[ \t]*(piece|pattern|define|action|param|remember|let)\s+(?:per player\s+)?([a-z]\w*).*$/gm);
  return [...found].map((one) => ({ name: one[2], kind: one[1], line: one[0].trim() }));
}

let prelude: Declared[] = [];

export function setPrelude(text: string): void {
  prelude = declared(text);
}

function about(word: string, text: string): { head: string; body: string } | null {
  const own = declared(text).find((one) => one.name === word);
  if (own) return { head: own.line.split(/\s#\s/)[0], body: own.line.split(/\s#\s/)[1] ?? "" };
  const usual = prelude.find((one) => one.name === word);
  if (usual) {
    const [head, comment] = usual.line.split(/\s#\s/);
    return { head: head.trim(), body: comment ? `${comment.trim()} (prelude)` : "prelude" };
  }
  const known = Object.hasOwn(explained, word) ? explained[word] : null;
  return known && { head: known.form, body: known.text };
}

function complete(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/[a-z_]\w*/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, word.from - line.from);
  if (before.includes("#") || (before.split('"').length - 1) % 2) return null;
  const text = context.state.doc.toString();
  const all = new Map<string, Completion>();
  const add = (label: string, type: string, boost: number) => {
    if (all.has(label)) return;
    const told = about(label, text);
    const info = told && (() => h("div", { class: "info" }, h("code", {}, told.head), h("p", {}, prose(told.body))));
    all.set(label, { label, type, boost, info: info || undefined });
  };
  for (const one of declared(text)) add(one.name, "variable", 2);
  for (const one of prelude) add(one.name, "function", 1);
  for (const one of BUILTIN) add(one, "constant", 0);
  for (const one of keywords) add(one, "keyword", 0);
  return { from: word.from, options: [...all.values()], validFor: /^\w*$/ };
}

const hover = hoverTooltip((view, at) => {
  const line = view.state.doc.lineAt(at);
  for (const found of line.text.matchAll(/[a-z_]\w*/g)) {
    const from = line.from + found.index;
    const to = from + found[0].length;
    if (at < from || at > to) continue;
    const told = about(found[0], view.state.doc.toString());
    if (!told) return null;
    const dom = h("div", { class: "info" }, h("code", {}, told.head), h("p", {}, prose(told.body)));
    return { pos: from, end: to, above: true, create: () => ({ dom }) };
  }
  return null;
});

export function lusoria(): LanguageSupport {
  const language = StreamLanguage.define(parser);
  return new LanguageSupport(language, [
    syntaxHighlighting(style),
    language.data.of({ autocomplete: complete }),
    hover,
  ]);
}

// Editor: a text and what is wrong with it go in; what the author types comes out.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Action, type Diagnostic as Lint } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  gutter,
  GutterMarker,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { h, prose } from "./dom";
import { lusoria } from "./language";
import type { Covered, Diagnostic } from "./types";

type Counts = Covered["lines"];

/** How often each line was used; none after a change, as lines are then others. */
const setCounts = StateEffect.define<Counts | null>();
const counts = StateField.define<Map<number, [number, boolean]>>({
  create: () => new Map(),
  update(value, transaction) {
    if (transaction.docChanged && value.size) value = new Map();
    for (const effect of transaction.effects) {
      if (effect.is(setCounts)) value = new Map(effect.value?.map(([line, count, unused]) => [line, [count, unused]]));
    }
    return value;
  },
  provide: (field) =>
    EditorView.decorations.compute([field], (state): DecorationSet => {
      const builder = new RangeSetBuilder<Decoration>();
      for (const [line, [count, unused]] of [...state.field(field)].sort(([one], [other]) => one - other)) {
        if (line > state.doc.lines || !unused) continue;
        const [name, words] = count ? ["cm-partly", "a rule of this line was never used"] : ["cm-never", "never used"];
        builder.add(state.doc.line(line).from, state.doc.line(line).from, Decoration.line({ class: name, attributes: { "aria-description": words } }));
      }
      return builder.finish();
    }),
});

/** A count in the margin. */
class Count extends GutterMarker {
  constructor(
    private readonly count: number,
    private readonly unused: boolean,
  ) {
    super();
  }

  eq(other: Count): boolean {
    return this.count === other.count && this.unused === other.unused;
  }

  toDOM(): Node {
    const { count } = this;
    const exact = `used ${count.toLocaleString("en")} ${count === 1 ? "time" : "times"}`;
    const title = count === 0 ? "never used" : this.unused ? `${exact}; a rule of this line was never used` : exact;
    const short = count === 0 ? "never" : count < 10_000 ? String(count) : count < 1e6 ? `${Math.round(count / 1000)}k` : `${Math.round(count / 1e6)}M`;
    return h("span", { class: count === 0 ? "never" : this.unused ? "partly" : "", title }, short);
  }
}

const margin = gutter({
  class: "cm-counts",
  lineMarker(view, block) {
    const found = view.state.field(counts).get(view.state.doc.lineAt(block.from).number);
    return found ? new Count(...found) : null;
  },
  lineMarkerChange: (update) => update.startState.field(counts) !== update.state.field(counts),
});

export interface EditorEvents {
  changed(): void;
  format(): void;
  explain(code: string): void;
}

/** The words that the help proposes instead. */
function proposed(diagnostic: Diagnostic): string | undefined {
  return /did you mean `([^`]+)`/.exec(diagnostic.help ?? "")?.[1];
}

export class Editor {
  readonly view: EditorView;
  private quiet = false;

  constructor(
    parent: HTMLElement,
    private readonly events: EditorEvents,
  ) {
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged && !this.quiet) events.changed();
    });
    const format = keymap.of([
      {
        key: "Mod-s",
        preventDefault: true,
        run: () => {
          events.format();
          return true;
        },
      },
    ]);
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          format,
          counts,
          margin,
          lineNumbers(),
          lintGutter(),
          highlightActiveLineGutter(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          indentUnit.of("  "),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          highlightSelectionMatches(),
          lusoria(),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...completionKeymap,
            ...lintKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({
            "aria-label": "Rules. Escape, then Tab, leaves the editor.",
            spellcheck: "false",
            autocapitalize: "off",
          }),
          changed,
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Another text, without telling that it has changed. */
  set text(text: string) {
    this.quiet = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 } });
    this.quiet = false;
    this.view.scrollDOM.scrollTo(0, 0);
  }

  /** The same text laid out: the place in it is kept as far as it can be, and it can be taken back. */
  replace(text: string): void {
    const old = this.text;
    if (old === text) return;
    let start = 0;
    while (start < Math.min(old.length, text.length) && old[start] === text[start]) start++;
    let end = 0;
    while (end < Math.min(old.length, text.length) - start && old.at(-1 - end) === text.at(-1 - end)) end++;
    this.view.dispatch({
      changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
    });
  }

  show(diagnostics: Diagnostic[]): void {
    const length = this.view.state.doc.length;
    const own = diagnostics.filter((one) => one.place);
    const lints: Lint[] = own.map((one) => {
      const [from, to] = one.place!.map((at) => Math.min(at, length));
      const mend = proposed(one);
      const actions: Action[] = [{ name: "What is this?", apply: () => this.events.explain(one.code) }];
      if (mend) {
        actions.unshift({
          name: `Write ${mend}`,
          apply: (view, from, to) => view.dispatch({ changes: { from, to, insert: mend } }),
        });
      }
      return {
        from,
        to: Math.max(from, to),
        severity: one.severity,
        message: one.message,
        renderMessage: () =>
          h(
            "div",
            { class: "told" },
            h("p", {}, prose(one.message)),
            one.help && h("p", { class: "help" }, prose(one.help)),
          ),
        actions,
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, lints));
  }

  mend(diagnostic: Diagnostic): void {
    const word = proposed(diagnostic);
    if (!word || !diagnostic.place) return;
    const [from, to] = diagnostic.place;
    this.view.dispatch({ changes: { from, to, insert: word } });
  }

  static canMend(diagnostic: Diagnostic): string | undefined {
    return diagnostic.place ? proposed(diagnostic) : undefined;
  }

  /** Shows how often lines were used; `null`: it is not known. */
  showCounts(lines: Counts | null): void {
    this.view.dispatch({ effects: setCounts.of(lines) });
  }

  goToLine(line: number): void {
    const { from, to } = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines));
    this.goTo([from, to]);
  }

  goTo(place: [number, number]): void {
    const length = this.view.state.doc.length;
    const [anchor, head] = place.map((at) => Math.min(at, length));
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }
}

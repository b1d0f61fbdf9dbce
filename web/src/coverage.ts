// Coverage: rules go in; which of them random games used comes out, in the margin of the text and in words.

import { byId, h } from "./dom";
import type { Editor } from "./editor";
import { Engine } from "./engine";
import { areSame, type Covered, type Rules } from "./types";

const GAMES = 100;
/** How long games are played, in milliseconds; the first one may take longer. */
const TIME = 4000;
const TIME_OF_FIRST = 20_000;
const SLICE = 80;
const MAX_TURNS = 1000;
const SEED = 1;
/** The picture changes at most so often, in milliseconds. */
const PICTURE = 250;
const MOST_RULES = 50;
/** What stands below the text, and below the random games. */
const PLACES = ["covered", "idle"];

function counted(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

export class Coverage {
  private readonly counter = new Engine("counting the use of rules", 30_000);
  private readonly button = byId<HTMLButtonElement>("cover");
  private rules: Rules | undefined;
  private isOn = false;
  /** Grows whenever what is being counted is no longer asked. */
  private run = 0;

  constructor(
    private readonly editor: Editor,
    private readonly goTo: (line: number) => void,
  ) {
    this.button.onclick = () => (this.isOn ? this.hide() : this.show());
    this.hide();
  }

  /** Counts are of these rules from now on. */
  open(rules: Rules): void {
    const isSame = areSame(this.rules, rules);
    this.rules = rules;
    if (!isSame && this.isOn) this.show();
  }

  /** The text has changed: what was counted is of another one. */
  forget(): void {
    this.rules = undefined;
    this.clear();
  }

  hide(): void {
    this.isOn = false;
    this.clear();
    byId("covered").hidden = true;
    this.button.setAttribute("aria-pressed", "false");
  }

  show(): void {
    this.isOn = true;
    this.clear();
    byId("covered").hidden = false;
    this.button.setAttribute("aria-pressed", "true");
    if (this.rules) void this.count(this.rules);
    else byId("covered").append(h("p", { class: "faint" }, "What is used can be counted once the mistakes are mended"));
  }

  private clear(): void {
    this.run++;
    this.editor.showCounts(null);
    for (const id of PLACES) {
      byId(id).replaceChildren();
      byId(id).removeAttribute("aria-busy");
    }
  }

  private async count(rules: Rules): Promise<void> {
    const run = ++this.run;
    for (const id of PLACES) byId(id).setAttribute("aria-busy", "true");
    const begun = performance.now();
    try {
      await this.counter.ask({ do: "open", ...rules, seed: SEED, start: null });
      let plies = 16;
      let shown = 0;
      for (;;) {
        const since = performance.now();
        const covered = await this.counter.ask<Covered>({ do: "cover", plies, max_turns: MAX_TURNS, seed: SEED });
        if (run !== this.run) return;
        const now = performance.now();
        plies = Math.max(1, Math.min(plies * 4, 20_000, Math.round((plies * SLICE) / Math.max(now - since, 1))));
        const isDone = covered.games >= GAMES || now - begun > (covered.games ? TIME : TIME_OF_FIRST);
        if (isDone || now - shown > PICTURE) {
          shown = now;
          this.editor.showCounts(covered.lines);
          for (const id of PLACES) byId(id).replaceChildren(...this.words(covered, isDone));
        }
        if (isDone) break;
      }
    } catch (error) {
      if (run === this.run) {
        byId("covered").replaceChildren(h("p", { class: "fault" }, error instanceof Error ? error.message : String(error)));
      }
    } finally {
      if (run === this.run) for (const id of PLACES) byId(id).removeAttribute("aria-busy");
    }
  }

  private words({ games, turns, unused }: Covered, isDone: boolean): HTMLElement[] {
    const played = `${counted(games, "random game")}, ${counted(turns, "turn")}`;
    if (!unused.length) return [h("p", { class: "sum" }, `Every rule was used (${played})`)];
    const never = unused.length === 1 ? "One rule was never used" : `${unused.length} rules were never used`;
    const item = ({ line, kind, rule }: Covered["unused"][number]) =>
      h(
        "li",
        { class: "warning" },
        h(
          "button",
          { class: "problem", onclick: () => this.goTo(line) },
          h("span", { class: "where" }, h("span", { class: "unseen" }, "line "), String(line)),
          h("span", {}, h("code", {}, rule), h("small", {}, `${kind} that was never used`)),
        ),
      );
    return [
      h("p", { class: "sum" }, `${never}${isDone ? "" : " so far"} (${played})`),
      h("ul", {}, ...unused.slice(0, MOST_RULES).map(item)),
    ];
  }
}

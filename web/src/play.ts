// Play: rules and choices go in; a game at the board comes out, against oneself or the program.

import { Board } from "./board";
import { byId, h, prose, toast } from "./dom";
import { Engine, Refused, Stopped } from "./engine";
import type { Line, Opened, Option, Rules, Thought, View } from "./types";

/** The start of a game and its moves. */
export interface Played {
  start: string | null;
  seed: number;
  moves: string[];
}

/** How long the program thinks, in milliseconds. */
const STRENGTHS: [string, number][] = [
  ["quickly, 0.3 s", 300],
  ["1 second", 1000],
  ["3 seconds", 3000],
  ["10 seconds", 10_000],
];
const HINT_TIME = 1000;
/** Of a slice of thinking, in milliseconds: so long may it take until the page is heard. */
const SLICE = 100;
/** Longest time that the first slice may take: the moves of some games are slow to list. */
const LIMIT = 20_000;
const MOST_SUGGESTED = 50;

export class Play {
  private readonly table = new Engine("the game", LIMIT);
  private readonly thinker = new Engine("thinking", LIMIT);
  private readonly board: Board;
  private rules: Rules | undefined;
  private opened: Opened | undefined;
  /** The rules of the game on the board. */
  private shownRules: Rules | undefined;
  private view: View | undefined;
  private start: string | null = null;
  private seed = 1;
  private programs: boolean[] = [];
  private strength = 1;
  private hinted: number[] = [];
  /** Grows whenever what is being thought about is no longer asked. */
  private turn = 0;
  /** Grows whenever a game is to begin, or none. */
  private openings = 0;
  /** Whether the board does not show the game at the table: what is chosen on it means nothing. */
  private isStale = false;
  private thinkerKnows = "";

  constructor(private readonly onChange: () => void) {
    this.board = new Board(byId("board"), {
      cell: (cell) => void this.click(cell),
      drop: (from, to) => void this.drop(from, to),
      cancel: () => void this.unchoose(),
    });
    byId("new").onclick = () => void this.begin(null, (Math.random() * 2 ** 31) >>> 0, []);
    byId("undo").onclick = () => void this.undo();
    byId("hint").onclick = () => void this.hint();
    byId<HTMLFormElement>("typed").onsubmit = (event) => {
      event.preventDefault();
      const input = byId<HTMLInputElement>("move");
      const text = input.value.trim();
      if (text) void this.change({ do: "play", text }).then((done) => done && (input.value = ""));
    };
    byId("move").oninput = () => void this.suggest();
    byId("move").onfocus = () => void this.suggest();
    byId<HTMLFormElement>("set-up").onsubmit = (event) => {
      event.preventDefault();
      void this.begin(byId<HTMLTextAreaElement>("position").value.trim(), this.seed, []);
    };
    byId("copy").onclick = async () => {
      await navigator.clipboard.writeText(byId<HTMLTextAreaElement>("position").value);
      toast("The position is on the clipboard");
    };
    byId("play").addEventListener("keydown", (event) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "u") void this.undo();
      else if (event.key === "h") void this.hint();
    });
  }

  get played(): Played {
    return { start: this.start, seed: this.seed, moves: this.view?.played.map(([text]) => text) ?? [] };
  }

  /** Plays by these rules. Moves that were played stay, as far as they can be played. */
  async open(rules: Rules, played: Played, keepSeats: boolean): Promise<void> {
    this.rules = rules;
    if (!keepSeats) this.programs = [];
    await this.begin(played.start, played.seed, played.moves);
  }

  /** Nothing can be played. */
  close(): void {
    this.turn++;
    this.openings++;
    this.isStale = true;
    this.view = undefined;
    this.clear();
    byId("seats").replaceChildren();
    byId("status").replaceChildren(h("span", { class: "faint" }, "It can be played once its mistakes are mended"));
  }

  private clear(): void {
    this.board.clear();
    for (const id of ["choices", "moves"]) byId(id).replaceChildren();
    for (const id of ["undo", "hint"]) byId<HTMLButtonElement>(id).disabled = true;
  }

  private async begin(start: string | null, seed: number, moves: string[]): Promise<void> {
    const rules = this.rules;
    if (!rules) return;
    const opening = ++this.openings;
    this.turn++;
    this.hinted = [];
    this.isStale = true;
    this.board.wait();
    try {
      let opened = await this.table.ask<Opened>({ do: "open", ...rules, seed, start });
      if (opening !== this.openings) return;
      let view = opened.view;
      if (moves.length) {
        try {
          view = await this.table.ask<View>({ do: "seek", moves });
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          if (opening !== this.openings) return;
          opened = await this.table.ask<Opened>({ do: "open", ...rules, seed, start });
          view = opened.view;
          toast("The moves cannot be played by these rules: the game begins anew");
        }
      }
      if (opening !== this.openings) return;
      this.isStale = false;
      [this.start, this.seed, this.opened, this.shownRules] = [start, seed, opened, rules];
      if (this.programs.length !== opened.players.length) this.programs = opened.players.map(() => false);
      this.board.open(opened);
      this.drawSeats();
      this.show(view);
    } catch (error) {
      if (opening !== this.openings) return;
      if (start !== null && error instanceof Refused) {
        toast(error.message);
        // The table lies empty: what was played by these rules is set up again, else the game begins as they say.
        const isKnown = this.shownRules === rules && this.view && this.start !== start;
        const before = isKnown ? this.played : { start: null, seed, moves: [] };
        await this.begin(before.start, before.seed, before.moves);
      } else {
        this.clear();
        this.fail(error);
      }
    }
  }

  private fail(error: unknown): void {
    const words = error instanceof Error ? error.message : String(error);
    byId("status").replaceChildren(h("p", { class: "fault" }, prose(words)));
  }

  /** Asks the table for another view; whether there is one. */
  private async change(request: Record<string, unknown>): Promise<boolean> {
    if (this.isStale) return false;
    const turn = ++this.turn;
    const { openings } = this;
    const generation = this.table.generation;
    this.hinted = [];
    try {
      const view = await this.table.ask<View>(request);
      if (turn === this.turn) this.show(view);
      return true;
    } catch (error) {
      // Another game has begun meanwhile.
      if (openings !== this.openings) return false;
      if (error instanceof Stopped || generation !== this.table.generation) {
        toast(error instanceof Error ? error.message : String(error));
        // What the worker knew is gone: the game is set up again as it was.
        const { start, seed, moves } = this.played;
        await this.begin(start, seed, moves);
      } else if (error instanceof Refused) {
        toast(error.message);
        if (this.view) this.show(this.view);
      } else this.fail(error);
      return false;
    }
  }

  private show(view: View): void {
    this.view = view;
    const isProgram = this.isProgram(view);
    this.board.show(view, this.hinted, isProgram);
    this.drawStatus(view);
    this.drawChoices(view, isProgram);
    this.drawMoves(view);
    byId<HTMLTextAreaElement>("position").value = view.position;
    byId("hash").textContent = view.hash;
    byId<HTMLButtonElement>("undo").disabled = view.played.length === 0;
    const canThink = !view.outcome && view.moves > 0 && view.chooser !== null;
    byId<HTMLButtonElement>("hint").disabled = !canThink || isProgram;
    this.onChange();
    if (isProgram && canThink && !view.fault) void this.answer();
  }

  private isProgram(view: View): boolean {
    return view.chooser !== null && Boolean(this.programs[view.chooser]);
  }

  private dot(player: number | null): HTMLElement | null {
    const colour = player === null ? null : this.opened?.colours[player];
    return colour ? h("span", { class: "dot", style: `--dot: ${colour}`, "aria-hidden": "true" }) : null;
  }

  private drawStatus(view: View): void {
    const { players } = this.opened!;
    const place = byId("status");
    const last = view.played.at(-1);
    const spoken = last ? h("span", { class: "unseen" }, `${last[1] === null ? "Chance" : players[last[1]]}: ${last[0]}. `) : null;
    if (view.fault) {
      place.replaceChildren(h("p", { class: "fault" }, prose(view.fault)));
    } else if (view.outcome) {
      const { winners, text } = view.outcome;
      const head = winners.length ? `${winners.join(" and ")} wins` : "A draw";
      const winner = winners.length ? players.indexOf(winners[0]) : null;
      const why = text.slice(text.indexOf(": ") + 2).replace(/ \([^()]*\)$/, "");
      place.replaceChildren(
        ...[spoken, this.dot(winner), h("strong", {}, head), h("code", { class: "why" }, why)].filter((one) => one !== null),
      );
    } else if (view.moves === 0) {
      place.replaceChildren(h("strong", {}, "Nobody can move, and no outcome says what that means"));
    } else {
      const name = view.chooser === null ? "Chance" : players[view.chooser];
      const how = this.isProgram(view) ? " is thinking" : " to move";
      const count = `${view.moves} ${view.moves === 1 ? "move" : "moves"}`;
      place.replaceChildren(
        ...[spoken, this.dot(view.chooser), h("strong", {}, name + how), h("span", { class: "faint" }, count)].filter(
          (one) => one !== null,
        ),
      );
    }
  }

  /** What cannot be chosen on the board, or can be chosen there in several ways. */
  private drawChoices(view: View, isProgram: boolean): void {
    const place = byId("choices");
    place.replaceChildren();
    if (isProgram) return;
    if (view.chosen_text !== null) {
      place.append(
        h("span", { class: "chosen-text" }, view.chosen_text),
        h("button", { class: "quiet", onclick: () => void this.unchoose() }, "Take back"),
      );
    }
    const cells = new Map<number, number>();
    for (const option of view.options) for (const cell of option.cells) cells.set(cell, (cells.get(cell) ?? 0) + 1);
    const isOffBoard = (option: Option) => option.cells.length !== 1 || option.kind === "direction" || cells.get(option.cells[0])! > 1;
    view.options.forEach((option, at) => {
      // Of many options with cells, those that are on the board alone need no button.
      if (isOffBoard(option) && place.childElementCount < 40) place.append(this.choiceButton(option, at));
    });
  }

  private choiceButton(option: Option, at: number): HTMLElement {
    const text = option.kind === "move" ? `Play ${option.text}` : option.text.replace(/^[-x=](?=.)/, "");
    return h("button", { onclick: () => void this.choose(at) }, text);
  }

  private drawMoves(view: View): void {
    const list = byId("moves");
    list.replaceChildren(
      ...view.played.map(([text, player], at) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              class: "quiet",
              title: "Go back to here",
              "aria-label": `${at + 1}. ${player === null ? "chance" : this.opened!.players[player]} ${text}: go back to here`,
              onclick: () => this.goBack(at + 1),
            },
            this.dot(player),
            text,
          ),
        ),
      ),
    );
    list.scrollTop = list.scrollHeight;
  }

  private goBack(count: number): void {
    // The program would go on at once.
    if (count < (this.view?.played.length ?? 0)) this.programs.fill(false);
    this.drawSeats();
    void this.change({ do: "seek", moves: this.played.moves.slice(0, count) });
  }

  private drawSeats(): void {
    const { players } = this.opened!;
    const seat = (name: string, at: number) =>
      h(
        "label",
        { class: "seat" },
        this.dot(at),
        h("span", {}, name),
        h(
          "select",
          {
            "aria-label": `Who plays ${name}`,
            onchange: (event: Event) => {
              this.programs[at] = (event.target as HTMLSelectElement).value === "program";
              this.drawSeats();
              this.turn++;
              if (this.view && !this.isStale) this.show(this.view);
            },
          },
          h("option", { value: "you", selected: !this.programs[at] }, "You"),
          h("option", { value: "program", selected: this.programs[at] }, "Program"),
        ),
      );
    const strength = h(
      "label",
      { class: "seat" },
      h("span", {}, "thinks"),
      h(
        "select",
        {
          "aria-label": "How long the program thinks",
          onchange: (event: Event) => (this.strength = (event.target as HTMLSelectElement).selectedIndex),
        },
        ...STRENGTHS.map(([words], at) => h("option", { selected: at === this.strength }, words)),
      ),
    );
    byId("seats").replaceChildren(
      ...players.map(seat),
      ...(this.programs.some(Boolean) ? [strength] : []),
    );
  }

  private choose(option: number): Promise<boolean> {
    return this.change({ do: "choose", option });
  }

  private async unchoose(): Promise<void> {
    if (this.view?.chosen_text !== null) await this.change({ do: "unchoose" });
  }

  private async click(cell: number): Promise<void> {
    const view = this.view;
    if (!view || this.isStale || this.isProgram(view)) return;
    const at = view.options.findIndex((option) => option.cells.includes(cell));
    const alike = view.options.filter((option) => option.cells.includes(cell));
    if (alike.length === 1) await this.choose(at);
    else if (alike.length > 1) {
      // Its buttons stand below the board.
      byId("choices").querySelector<HTMLElement>("button:not(.quiet)")?.focus();
      this.only(alike);
    } else if (view.chosen_text !== null) {
      const wasLast = view.chosen.at(-1) === cell;
      await this.unchoose();
      const again = this.view?.options.some((option) => option.cells.includes(cell));
      if (again && !wasLast) await this.click(cell);
    }
  }

  /** Shows the buttons of some options alone. */
  private only(options: Option[]): void {
    const place = byId("choices");
    place.replaceChildren(
      h("span", { class: "faint" }, "Which one?"),
      ...options.map((option) => this.choiceButton(option, this.view!.options.indexOf(option))),
      h("button", { class: "quiet", onclick: () => void this.unchoose() }, "None"),
    );
    place.querySelector("button")?.focus();
  }

  private async drop(from: number, to: number): Promise<void> {
    if (!this.view?.chosen.length || this.view.chosen.at(-1) !== from) await this.click(from);
    if (this.view?.options.some((option) => option.cells.includes(to))) await this.click(to);
    else await this.unchoose();
  }

  private async undo(): Promise<void> {
    const played = this.view?.played ?? [];
    const byPlayers = played.filter(([, player]) => player !== null);
    if (!byPlayers.length) return;
    let count = 1;
    // The answer of the program goes with the move that it answers.
    const isProgram = (at: number) => this.programs[byPlayers[byPlayers.length - at]?.[1] ?? 0];
    while (count < byPlayers.length && isProgram(count)) count++;
    if (isProgram(count)) this.programs.fill(false);
    this.drawSeats();
    await this.change({ do: "undo", count });
  }

  private async suggest(): Promise<void> {
    const prefix = byId<HTMLInputElement>("move").value;
    try {
      const { texts } = await this.table.ask<{ texts: string[] }>({ do: "moves", prefix, most: MOST_SUGGESTED });
      byId("texts").replaceChildren(...texts.map((text) => h("option", { value: text })));
    } catch {
      // There is no game to suggest moves of.
    }
  }

  /** Thinks for a while about the position, as long as it is asked; `null`: it is not any more. */
  private async think(time: number, onThought?: (thought: Thought) => void): Promise<Thought | null> {
    const turn = this.turn;
    const { moves } = this.played;
    const game = JSON.stringify([this.rules, this.seed, this.start, this.thinker.generation]);
    if (game !== this.thinkerKnows) {
      await this.thinker.ask({ do: "open", ...this.rules, seed: this.seed, start: this.start });
      this.thinkerKnows = JSON.stringify([this.rules, this.seed, this.start, this.thinker.generation]);
    }
    await this.thinker.ask({ do: "seek", moves });
    let playouts = 8;
    let thought: Thought | null = null;
    const until = performance.now() + time;
    while (turn === this.turn) {
      const since = performance.now();
      thought = await this.thinker.ask<Thought>({ do: "think", playouts });
      if (turn !== this.turn) return null;
      onThought?.(thought);
      const took = performance.now() - since;
      playouts = Math.max(4, Math.min(playouts * 3, Math.round((playouts * SLICE) / Math.max(took, 1))));
      if (performance.now() >= until || thought.proven !== null) return thought;
    }
    return null;
  }

  /** The program plays. */
  private async answer(): Promise<void> {
    const turn = this.turn;
    try {
      const thought = await this.think(STRENGTHS[this.strength][1]);
      const best: Line | undefined = thought?.lines[0];
      if (best && turn === this.turn) await this.change({ do: "play", text: best.move });
    } catch (error) {
      if (turn === this.turn) this.thinkingFailed(error);
    }
  }

  private thinkingFailed(error: unknown): void {
    this.programs.fill(false);
    this.drawSeats();
    if (this.view && !this.isStale) this.show(this.view);
    toast(error instanceof Error ? error.message : String(error));
  }

  private async hint(): Promise<void> {
    const view = this.view;
    if (!view || this.isStale || view.outcome || byId<HTMLButtonElement>("hint").disabled) return;
    const turn = ++this.turn;
    byId("hint").setAttribute("aria-busy", "true");
    try {
      const thought = await this.think(HINT_TIME);
      const best = thought?.lines[0];
      if (!best || turn !== this.turn) return;
      this.hinted = best.cells;
      this.show(view);
      const chance = best.proven === null ? `${Math.round(best.value * 100)} % of the points` : best.proven === 1 ? "it wins" : best.proven === 0 ? "all lose" : "a draw";
      byId("choices").prepend(h("span", { class: "hint-text" }, "Try ", h("b", {}, best.move), ` (${chance})`));
    } catch (error) {
      if (turn === this.turn) this.thinkingFailed(error);
    } finally {
      byId("hint").removeAttribute("aria-busy");
    }
  }
}

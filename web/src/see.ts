// See: rules go in; counts of random games with plots, and the plan, come out.

import { byId, h, prose, svg } from "./dom";
import { Engine } from "./engine";
import { areSame, type Counted, type Rules } from "./types";

const SLICE = 80;
const MAX_TURNS = 1000;
/** Games that are played move by move, for the numbers of choices. */
const WALKED = 12;
/** Turns of these, at most. */
const WALKED_TURNS = 200;
const COLUMNS = 40;
const Z95 = 1.96;

/** Wilson's interval of a share, at 95 %. */
export function interval(count: number, all: number): [number, number] {
  if (all === 0) return [0, 1];
  const share = count / all;
  const z = (Z95 * Z95) / all;
  const middle = (share + z / 2) / (1 + z);
  const half = (Z95 * Math.sqrt((share * (1 - share)) / all + z / (4 * all))) / (1 + z);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Bars of a histogram, with axes that say what they count. */
function columns(bars: { from: number; to: number; value: number }[], across: string, up: (value: number) => string): SVGElement {
  const [width, height, left, bottom] = [560, 190, 44, 34];
  const most = Math.max(...bars.map((bar) => bar.value), 1e-9);
  const step = (width - left) / Math.max(bars.length, 1);
  const high = height - bottom - 14;
  const words = `${across}: from ${bars[0]?.from ?? 0} to ${bars.at(-1)?.to ?? 0}, at most ${up(most)}`;
  const plot = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img", "aria-label": words });
  for (const part of [0, 0.5, 1]) {
    const y = 10 + high * (1 - part);
    plot.append(
      svg("line", { class: "grid", x1: left, x2: width, y1: y, y2: y }),
      svg("text", { class: "tick", x: left - 6, y: y + 4, "text-anchor": "end" }, up(most * part)),
    );
  }
  bars.forEach((bar, at) => {
    const tall = (bar.value / most) * high;
    const range = bar.from === bar.to ? `${bar.from}` : `${bar.from} to ${bar.to}`;
    plot.append(
      svg(
        "rect",
        { class: "column", x: left + at * step + 0.75, y: 10 + high - tall, width: Math.max(step - 1.5, 1), height: tall, rx: Math.min(2, step / 4) },
        svg("title", {}, `${range}: ${up(bar.value)}`),
      ),
    );
  });
  const label = (at: number, x: number, anchor: string) =>
    svg("text", { class: "tick", x, y: height - 18, "text-anchor": anchor }, String(at));
  if (bars.length) {
    plot.append(
      label(bars[0].from, left, "start"),
      label(bars.at(-1)!.to, width, "end"),
      label(bars[bars.length >> 1].from, left + (bars.length >> 1) * step + step / 2, "middle"),
    );
  }
  plot.append(svg("text", { class: "axis", x: left + (width - left) / 2, y: height - 3, "text-anchor": "middle" }, across));
  return plot;
}

function histogram(lengths: [number, number][]): SVGElement {
  const [least, most] = [lengths[0][0], lengths.at(-1)![0]];
  const wide = Math.max(1, Math.ceil((most - least + 1) / COLUMNS));
  const bars = Array.from({ length: Math.ceil((most - least + 1) / wide) }, (_, at) => ({
    from: least + at * wide,
    to: least + at * wide + wide - 1,
    value: 0,
  }));
  for (const [turns, count] of lengths) bars[Math.floor((turns - least) / wide)].value += count;
  return columns(bars, "turns of a game", (value) => String(Math.round(value)));
}

function branching(counts: number[][]): SVGElement {
  const longest = Math.max(...counts.map((game) => game.length));
  const wide = Math.max(1, Math.ceil(longest / COLUMNS));
  const bars = [];
  for (let from = 0; from < longest; from += wide) {
    const seen = counts.flatMap((game) => game.slice(from, from + wide));
    bars.push({ from: from + 1, to: from + wide, value: seen.reduce((one, other) => one + other, 0) / seen.length });
  }
  return columns(bars, "turn", (value) => (value < 10 ? value.toFixed(1) : String(Math.round(value))));
}

/** The length that a part of the games does not exceed. */
function quantile(lengths: [number, number][], all: number, part: number): number {
  let seen = 0;
  for (const [turns, count] of lengths) {
    seen += count;
    if (seen >= all * part) return turns;
  }
  return 0;
}

export class See {
  private readonly counter = new Engine("the simulation", 60_000);
  private rules: Rules | undefined;
  private running = 0;
  private asked = 0;
  private readonly results = h("div", { class: "results" });
  private readonly begin = h("button", { class: "primary" }, "Play random games");
  private readonly games = h("select", { "aria-label": "How many games" });

  constructor(
    private readonly author: Engine,
    private readonly onCounted: () => void,
  ) {
    for (const count of [100, 1000, 10_000, 100_000]) {
      this.games.append(h("option", { value: count, selected: count === 1000 }, count.toLocaleString("en")));
    }
    this.begin.onclick = () => void (this.running ? this.halt() : this.simulate());
    byId("simulate").append(
      h("h2", {}, "Random games"),
      h("p", { class: "faint" }, "Each move is drawn among the legal ones. What comes out tells whether games end, how long they are, and whom the rules favour."),
      h("div", { class: "bar" }, this.games, this.begin),
      this.results,
      h("div", { id: "idle", class: "results", role: "status" }),
    );
  }

  /** What is seen is of these rules from now on. */
  open(rules: Rules): void {
    const isSame = areSame(this.rules, rules);
    this.rules = rules;
    if (isSame) return;
    this.halt();
    this.results.replaceChildren();
    byId("plan").replaceChildren();
    if (document.body.dataset.pane === "plan") void this.plan(0);
  }

  private halt(): void {
    if (this.running) this.counter.stop();
    this.running = 0;
    this.begin.textContent = "Play random games";
  }

  private async simulate(): Promise<void> {
    if (!this.rules) return;
    const run = (this.running = ++this.asked);
    this.begin.textContent = "Stop";
    const wanted = Number(this.games.value);
    const seed = (Math.random() * 2 ** 31) >>> 0;
    const begun = performance.now();
    try {
      await this.counter.ask({ do: "open", ...this.rules, seed, start: null });
      const walks: number[][] = [];
      let slice = 1;
      let counted: Counted | undefined;
      let shown = 0;
      while (run === this.running && (counted?.games ?? 0) < wanted) {
        const since = performance.now();
        slice = Math.min(slice, wanted - (counted?.games ?? 0));
        counted = await this.counter.ask<Counted>({ do: "simulate", games: slice, max_turns: MAX_TURNS, seed });
        const took = performance.now() - since;
        slice = Math.max(1, Math.min(slice * 4, Math.round((slice * SLICE) / Math.max(took, 1))));
        if (run !== this.running) return;
        if (walks.length < WALKED) {
          const request = { do: "branching", seed: seed + walks.length, max_turns: WALKED_TURNS };
          walks.push((await this.counter.ask<{ counts: number[] }>(request)).counts);
        }
        if (run !== this.running) return;
        // The picture changes at most ten times a second.
        if (performance.now() - shown > 100 || counted.games >= wanted) {
          shown = performance.now();
          this.show(counted, walks, wanted, (shown - begun) / 1000);
        }
      }
      if (run === this.running) this.onCounted();
    } catch (error) {
      if (run === this.running) {
        this.results.prepend(h("p", { class: "fault" }, prose(error instanceof Error ? error.message : String(error))));
      }
    } finally {
      if (run === this.running) {
        this.running = 0;
        this.begin.textContent = "Play random games";
      }
    }
  }

  private show({ games, results, lengths }: Counted, walks: number[][], wanted: number, seconds: number): void {
    const bars = new Map<string, number>();
    for (const { winners, count } of results) {
      const name = winners === null ? "no end" : winners.length ? winners.join(" and ") : "draw";
      bars.set(name, (bars.get(name) ?? 0) + count);
    }
    const row = ([name, count]: [string, number]) => {
      const [low, high] = interval(count, games);
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, name),
        h("td", { class: "number" }, count.toLocaleString("en")),
        h("td", { class: "number" }, percent(count / games)),
        h(
          "td",
          { class: "share", title: `${percent(low)} to ${percent(high)}, at 95 %` },
          h("div", { class: "meter", style: `--share: ${(100 * count) / games}%; --low: ${100 * low}%; --high: ${100 * high}%` }, h("i"), h("b")),
          h("span", { class: "unseen" }, `between ${percent(low)} and ${percent(high)}`),
        ),
      );
    };
    const mean = lengths.reduce((sum, [turns, count]) => sum + turns * count, 0) / games;
    const figure = (value: string, words: string) => h("div", { class: "figure" }, h("b", {}, value), h("span", {}, words));
    const sorted = [...bars].sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]));
    const byLine = [...results].sort((one, other) => other.count - one.count);
    const head = h("tr", {}, ...["Result", "Games", "Share", "95 % interval"].map((word) => h("th", { scope: "col" }, word)));
    this.results.replaceChildren(
      h("progress", { max: wanted, value: games, "aria-label": "Games played" }),
      h(
        "div",
        { class: "figures" },
        figure(games.toLocaleString("en"), "games"),
        figure(mean.toFixed(1), "mean turns"),
        figure(String(quantile(lengths, games, 0.5)), "median turns"),
        figure(`${lengths[0][0]} to ${lengths.at(-1)![0]}`, "shortest, longest"),
        figure(Math.round(games / Math.max(seconds, 0.01)).toLocaleString("en"), "games a second"),
      ),
      h("table", { class: "shares" }, h("thead", {}, head), h("tbody", {}, ...sorted.map(row))),
      h("h3", {}, "Length"),
      histogram(lengths),
      h("h3", {}, "Choices, turn by turn"),
      branching(walks.filter((walk) => walk.length)),
      h("h3", {}, "By outcome of the rules"),
      h(
        "table",
        { class: "lines" },
        h(
          "tbody",
          {},
          ...byLine.map(({ line, winners, count }) =>
            h(
              "tr",
              {},
              h("td", {}, winners === null ? line : h("code", {}, line)),
              h("td", {}, winners === null ? "" : winners.join(" and ") || "draw"),
              h("td", { class: "number" }, percent(count / games)),
            ),
          ),
        ),
      ),
    );
  }

  /** Shows what the rules are compiled to. */
  async plan(player: number): Promise<void> {
    if (!this.rules) return;
    const place = byId("plan");
    try {
      const told = await this.author.ask<{ players: string[]; bits?: number; text?: string; why?: string; place?: string | null }>({
        do: "plan",
        ...this.rules,
        player,
      });
      const seats = told.players.map((name, at) => h("option", { value: at, selected: at === player }, name));
      const select = h("select", { "aria-label": "Player", onchange: () => void this.plan(Number(select.value)) }, ...seats);
      const planned = told.text !== undefined;
      place.replaceChildren(
        h("h2", {}, "Plan"),
        h(
          "p",
          { class: "faint" },
          planned
            ? `The rules are compiled to operations on sets of ${told.bits} cells. This is what happens in a turn.`
            : prose(`There is no plan yet for ${told.why}${told.place ? ` (${told.place})` : ""}: these rules are played as they are written, more slowly.`),
        ),
        ...(planned ? [h("div", { class: "bar" }, h("label", {}, "For ", select)), h("pre", { tabindex: "0" }, told.text!)] : []),
      );
    } catch (error) {
      place.replaceChildren(h("p", { class: "fault" }, prose(error instanceof Error ? error.message : String(error))));
    }
  }
}

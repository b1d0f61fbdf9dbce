// Report: rules go in; games between players of rising strength are played in slices, and a page with what they tell comes out.

import { byId, h, prose } from "./dom";
import { Engine } from "./engine";
import { areSame, type Rules } from "./types";

/** How long a slice should take, in milliseconds. */
const SLICE = 150;
/** Seconds that can be asked for. */
const TIMES = [15, 60, 300];
const SEED = 1;

/** What is done in each stage. */
const STAGES = {
  random: "Random games",
  coverage: "Rules that random games use",
  book: "First moves",
  contest: "Games between players of rising strength",
  replay: "Rules that strong players use",
  over: "Done",
};

interface Step {
  stage: keyof typeof STAGES;
  done: number;
  of: number;
  /** Games that are over: random ones, and those of the other players. */
  random: number;
  played: number;
}

function minutes(seconds: number): string {
  return seconds < 60 ? `${seconds} seconds` : seconds === 60 ? "1 minute" : `${seconds / 60} minutes`;
}

/** The name that a file of the game gets. */
function fileName(title: string): string {
  return title.normalize("NFKD").replace(/[^\w]+/g, "-").replace(/^-|-$/g, "").toLowerCase() || "game";
}

export class Report {
  private readonly engine = new Engine("the report", 60_000);
  private rules: Rules | undefined;
  private title = "";
  /** The shipped game that the rules are, if they are one as it is. */
  private shipped: string | null = null;
  private running = 0;
  private asked = 0;
  private isStopped = false;
  private readonly begin = h("button", { class: "primary" }, "Make a report");
  private readonly time = h("select", { "aria-label": "How long the report may take" });
  private readonly save = h("button", { hidden: true }, "Save as a file");
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": "How much of the report is made" });
  private readonly words = h("p", { class: "faint", role: "status" });
  private readonly progress = h("div", { class: "results", hidden: true }, this.bar, this.words);
  private readonly place = h("div", { class: "made" });
  /** Where the page is found in the browser's memory. */
  private url = "";

  constructor() {
    for (const seconds of TIMES) this.time.append(h("option", { value: seconds, selected: seconds === 60 }, minutes(seconds)));
    this.begin.onclick = () => (this.running ? this.stop() : void this.make());
    this.save.onclick = () => this.download();
    byId("report").append(
      h("h2", {}, "Report"),
      h(
        "p",
        { class: "faint" },
        "Random, greedy and searching players play each other. What comes out tells whom the rules favour, how much skill matters, and which rules are never used.",
      ),
      h("div", { class: "bar" }, this.time, this.begin, this.save),
      this.progress,
      this.place,
    );
  }

  /** Reports are of these rules from now on. */
  open(rules: Rules, title: string, shipped: string | null): void {
    const isSame = areSame(this.rules, rules);
    [this.rules, this.title, this.shipped] = [rules, title, shipped];
    if (isSame) return;
    if (this.running) this.engine.stop();
    this.rest();
    this.clear();
    this.progress.hidden = true;
  }

  private clear(): void {
    this.place.replaceChildren();
    this.save.hidden = true;
    URL.revokeObjectURL(this.url);
  }

  private rest(): void {
    this.running = 0;
    this.begin.textContent = "Make a report";
    this.begin.disabled = false;
    this.time.disabled = false;
  }

  /** Plays no more games: the report is of those that are over. */
  private stop(): void {
    this.isStopped = true;
    this.begin.disabled = true;
    this.begin.textContent = "Stopping";
  }

  private async make(): Promise<void> {
    if (!this.rules) return;
    const run = (this.running = ++this.asked);
    const seconds = Number(this.time.value);
    this.isStopped = false;
    this.begin.textContent = "Stop";
    this.time.disabled = true;
    this.clear();
    this.bar.value = 0;
    this.words.textContent = `${STAGES.random} …`;
    this.progress.hidden = false;
    try {
      await this.engine.ask({ do: "open", ...this.rules, seed: SEED, start: null });
      const begun = performance.now();
      let [units, stage] = [1, "random"];
      while (run === this.running) {
        const since = performance.now();
        const part = (since - begun) / 1000 / seconds;
        const step = await this.engine.ask<Step>({ do: "report", seed: SEED, units, part, stop: this.isStopped });
        if (run !== this.running) return;
        this.show(step, part);
        if (step.stage === "over") break;
        const took = performance.now() - since;
        // What a unit is depends on the stage.
        units = step.stage === stage ? Math.max(1, Math.min(units * 2, Math.round((units * SLICE) / Math.max(took, 1)))) : 1;
        stage = step.stage;
      }
      const name = this.arguments();
      const page = await this.engine.ask<{ html: string; partial: boolean }>({ do: "report_page", name, seed: SEED, seconds });
      if (run !== this.running) return;
      this.url = URL.createObjectURL(new Blob([page.html], { type: "text/html" }));
      this.words.textContent = page.partial ? "It was stopped early, and shows what was done by then." : "The report is made.";
      this.bar.value = 1;
      // It has no script, and could run none: the rules are anybody's. Its links lead to its own parts, not to those of this page.
      const srcdoc = page.html.replace("<head>", '<head><base href="about:srcdoc">');
      this.place.replaceChildren(h("iframe", { title: `Report of ${this.title}`, sandbox: "", srcdoc }));
      this.save.hidden = false;
    } catch (error) {
      if (run === this.running) {
        this.words.replaceChildren(h("span", { class: "fault" }, prose(error instanceof Error ? error.message : String(error))));
      }
    } finally {
      if (run === this.running) this.rest();
    }
  }

  /** What names the game on the command line. */
  private arguments(): string {
    const { variant, params } = this.rules!;
    const quoted = (text: string) => (/^[\w.=-]+$/.test(text) ? text : `"${text.replace(/["$`\\]/g, "\\$&")}"`);
    const settings = Object.entries(params).map(([param, value]) => `--set ${quoted(`${param}=${value}`)}`);
    const words = [this.shipped ?? `${fileName(this.title)}.rules`, variant !== null && `--variant ${quoted(variant)}`, ...settings];
    return words.filter(Boolean).join(" ");
  }

  private show({ stage, random, played }: Step, part: number): void {
    this.bar.value = Math.min(part, 0.99);
    const counted = (count: number, words: string) => `${count.toLocaleString("en")} ${words}`;
    const words = `${STAGES[stage]}: ${counted(random, "random games")}${played ? `, ${counted(played, "others")}` : ""}`;
    if (this.words.textContent !== words) this.words.textContent = words;
  }

  private download(): void {
    h("a", { href: this.url, download: `${fileName(this.title)}-report.html` }).click();
  }
}

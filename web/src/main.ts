// Page: what is typed, chosen and linked goes in; the parts of the page are told of it.

import "./style.css";
import { byId, debounced, h, prose, toast } from "./dom";
import { Coverage } from "./coverage";
import { Editor } from "./editor";
import { Engine } from "./engine";
import { setPrelude } from "./language";
import { Play, type Played } from "./play";
import { Report } from "./report";
import { See } from "./see";
import * as store from "./store";
import type { Checked, Diagnostic, Rules, Setting, Settings, ShippedGame } from "./types";

const FIRST = "breakthrough";
const CHECK_WAIT = 200;
const NARROW = matchMedia("(max-width: 860px)");

const author = new Engine("checking the rules", 15_000);
const painter = new Engine("drawing", 15_000);
const report = new Report();
const see = new See(author, () => coverage.show());

let games: ShippedGame[] = [];
let sheet: store.Sheet;
/** The file of the browser that is open; none: a shipped game as it is. */
let id: string | null = null;
let checking = 0;
/** What is to be played with the next rules that are right; none: what stands on the board. */
let pending: { played: Played; keepSeats: boolean } | null = null;
let hasOpened = false;

const editor = new Editor(byId("editor"), {
  changed: () => {
    // What is being checked is not what stands there now.
    checking++;
    setReady(false);
    coverage.forget();
    sheet.text = editor.text;
    keepFile();
    drawHead();
    check();
  },
  format: () => void format(),
  explain: (code) => void explain(code),
});

const coverage = new Coverage(editor, (line) => {
  if (NARROW.matches) showPane("rules");
  editor.goToLine(line);
});

const play = new Play(() => {
  Object.assign(sheet, play.played);
  remember();
});

/** Tells whether what the page shows is of the text as it stands. */
function setReady(isReady: boolean): void {
  document.body.dataset.ready = String(isReady);
}

const remember = debounced(300, () => store.setCurrent({ sheet, id }));
const check = debounced(CHECK_WAIT, () => void checkNow());

function base(): ShippedGame | undefined {
  return games.find((game) => game.name === sheet.base);
}

function titleOf(text: string): string {
  return /^\s*(?:#[^\n]*\n\s*)*game\s*"([^"]*)"/.exec(text)?.[1] ?? "Without a title";
}

/** What differs from the shipped text is a file of the author's. */
function keepFile(): void {
  if (sheet.text === base()?.text && id === null) return;
  id ??= crypto.randomUUID();
  const file = { id, title: titleOf(sheet.text), text: sheet.text, base: sheet.base, changed: Date.now() };
  if (!store.keep(file)) toast("The browser has no room to keep this file: share it as a link instead");
  remember();
}

function drawHead(): void {
  byId("title").textContent = titleOf(sheet.text);
  const shipped = base();
  const isShipped = sheet.text === shipped?.text;
  byId("file").textContent = isShipped ? `${shipped!.name}.rules` : "your file, kept in this browser";
  byId<HTMLButtonElement>("revert").hidden = isShipped || !shipped;
  document.title = `${titleOf(sheet.text)} · Lusoria`;
}

function drawVariants(checked: Checked): void {
  const select = byId<HTMLSelectElement>("variant");
  const variants = checked.games.filter((game) => game.variant !== null);
  select.hidden = variants.length === 0;
  const option = (name: string, value: string) => h("option", { value, selected: value === (sheet.variant ?? "") }, name);
  const main = checked.games.find((game) => game.variant === null);
  select.replaceChildren(
    option(main?.name ?? checked.title ?? "", ""),
    ...variants.map((game) => option(game.name, game.variant!)),
  );
}

/** What the params of the game may be set to. */
function drawParams(checked: Checked): void {
  const game = checked.games.find((game) => game.variant === sheet.variant);
  const declared = game?.params ?? [];
  const params = sheet.params ?? {};
  // What another text declared, or otherwise, is no longer there.
  const isKnown = ([name, value]: [string, Setting]) =>
    declared.some((one) => one.name === name && typeof one.value === typeof value && one.value !== value);
  sheet.params = Object.fromEntries(Object.entries(params).filter(isKnown));
  const place = byId("params");
  place.hidden = declared.length === 0;
  const focused = place.contains(document.activeElement) ? document.activeElement?.id : undefined;
  const control = ({ name, value }: { name: string; value: Setting }) => {
    const now = sheet.params?.[name] ?? value;
    const id = `param-${name}`;
    const set = (event: Event) => {
      const input = event.target as HTMLInputElement;
      const next = typeof value === "boolean" ? input.checked : input.valueAsNumber;
      if (typeof next === "number" && !Number.isSafeInteger(next)) input.value = String(now);
      else setParams({ ...sheet.params, [name]: next });
    };
    const input =
      typeof now === "boolean"
        ? h("input", { id, type: "checkbox", checked: now, onchange: set })
        : h("input", { id, type: "number", step: 1, value: now, onchange: set });
    return h("label", { for: id, class: now === value ? "" : "set" }, h("span", {}, name), input);
  };
  const isSet = Object.keys(sheet.params).length > 0;
  place.replaceChildren(
    h("legend", {}, "Params"),
    ...declared.map(control),
    ...(isSet ? [h("button", { id: "params-reset", class: "quiet", type: "button", onclick: () => setParams({}) }, "As the file says")] : []),
  );
  if (focused) (document.getElementById(focused) ?? place.querySelector("input"))?.focus();
}

/** A game with other values is another one. */
function setParams(params: Settings): void {
  sheet.params = params;
  coverage.forget();
  void checkNow({ played: { start: null, seed: 1, moves: [] }, keepSeats: true });
}

/** Checks the text and opens its game; without a word what stands on the board is played on. */
async function checkNow(next?: { played: Played; keepSeats: boolean }): Promise<void> {
  const mine = ++checking;
  pending = next ?? pending;
  setReady(false);
  const text = sheet.text;
  let diagnostics: Diagnostic[] = [];
  try {
    const checked = await author.ask<Checked>({ do: "check", text });
    if (mine !== checking) return;
    diagnostics = checked.diagnostics;
    drawProblems(diagnostics);
    drawStale(diagnostics.filter((one) => one.severity === "error").length);
    if (checked.has_errors && hasOpened) return;
    if (checked.has_errors) play.close();
    if (!checked.games.some((game) => game.variant === sheet.variant)) sheet.variant = null;
    drawVariants(checked);
    drawParams(checked);
    if (checked.has_errors) return;
    const rules: Rules = { text, variant: sheet.variant, params: sheet.params ?? {} };
    hasOpened = true;
    see.open(rules);
    coverage.open(rules);
    const opened = checked.games.find((game) => game.variant === sheet.variant);
    report.open(rules, opened?.name ?? titleOf(text), text === base()?.text ? sheet.base : null);
    const { played, keepSeats } = pending ?? { played: { ...play.played }, keepSeats: true };
    await play.open(rules, played, keepSeats);
    if (mine === checking) pending = null;
    if (mine !== checking || !checked.games.some((game) => game.has_examples)) return;
    const examples = await author.ask<{ diagnostics: Diagnostic[] }>({ do: "examples", text });
    if (mine === checking) drawProblems([...diagnostics, ...examples.diagnostics]);
  } catch (error) {
    if (mine !== checking) return;
    const words = error instanceof Error ? error.message : String(error);
    const told: Diagnostic = {
      code: "stopped", severity: "error", message: words, help: null, label: "", line: 1, column: 1, file: "", place: null, other: null, more: 0,
    };
    drawProblems([...diagnostics, told]);
  } finally {
    if (mine === checking) setReady(true);
  }
}

function drawStale(errors: number): void {
  const banner = byId("stale");
  banner.hidden = errors === 0;
  const count = errors === 1 ? "a mistake" : `${errors} mistakes`;
  banner.textContent = hasOpened ? `The rules have ${count}: the board plays as they last were right.` : `The rules have ${count}.`;
}

function drawProblems(diagnostics: Diagnostic[]): void {
  editor.show(diagnostics);
  const count = (severity: string, word: string) => {
    const number = diagnostics.filter((one) => one.severity === severity).reduce((sum, one) => sum + 1 + one.more, 0);
    return number ? `${number} ${word}${number === 1 ? "" : "s"}` : "";
  };
  const sum = [count("error", "mistake"), count("warning", "warning")].filter(Boolean).join(", ");
  const item = (one: Diagnostic) => {
    const mend = Editor.canMend(one);
    return h(
      "li",
      { class: one.severity },
      h(
        "button",
        { class: "problem", onclick: () => (one.place ? editor.goTo(one.place) : undefined) },
        h("span", { class: "where" }, one.place ? `${one.line}:${one.column}` : one.file),
        h("span", {}, prose(one.message), one.help && h("small", {}, prose(one.help))),
      ),
      mend && h("button", { class: "mend", onclick: () => editor.mend(one) }, `Write ${mend}`),
      one.code !== "stopped" &&
        h("button", { class: "quiet", "aria-label": `What does ${one.code} mean?`, onclick: () => void explain(one.code) }, "?"),
    );
  };
  const place = byId("problems");
  place.classList.toggle("fine", diagnostics.length === 0);
  place.replaceChildren(
    h("p", { class: "sum" }, sum || "No mistakes"),
    ...(diagnostics.length ? [h("ul", {}, ...diagnostics.map(item))] : []),
  );
}

async function format(): Promise<void> {
  const { text } = await author.ask<{ text: string | null }>({ do: "format", text: editor.text });
  if (text === null) toast("It can be laid out once its mistakes are mended");
  else editor.replace(text);
}

async function explain(code: string): Promise<void> {
  const { text } = await author.ask<{ text: string | null }>({ do: "explain", code });
  const blocks = (text ?? "There is no page for this one.").split(/\n?```[^\n]*\n/);
  const dialog = byId<HTMLDialogElement>("explained");
  const paragraphs = (block: string) => block.split(/\n\n+/).filter((part) => part.trim());
  dialog.replaceChildren(
    h("form", { method: "dialog" }, h("h2", {}, h("code", {}, code)), h("button", { class: "close", "aria-label": "Close" }, "×")),
    ...blocks.flatMap((block, at): HTMLElement[] =>
      at % 2 ? [h("pre", {}, block)] : paragraphs(block).map((part) => h("p", {}, prose(part))),
    ),
  );
  dialog.showModal();
}

/** Opens a sheet in all parts of the page. */
async function open(next: store.Sheet, file: string | null): Promise<void> {
  coverage.hide();
  sheet = next;
  id = file;
  editor.text = sheet.text;
  hasOpened = false;
  drawHead();
  remember();
  await checkNow({ played: { start: sheet.start, seed: sheet.seed, moves: sheet.moves }, keepSeats: false });
}

function fresh(game: ShippedGame, variant: string | null = null): store.Sheet {
  return { base: game.name, text: game.text, variant, params: {}, start: null, seed: 1, moves: [] };
}

const pictures = new Map<string, string>();

async function paint(place: HTMLImageElement, text: string): Promise<void> {
  try {
    let picture = pictures.get(text);
    if (!picture) {
      const { svg } = await painter.ask<{ svg: string }>({ do: "picture", text, variant: null });
      picture = `data:image/svg+xml,${encodeURIComponent(svg.replaceAll('fill="#ffffff"', 'fill="none"'))}`;
      pictures.set(text, picture);
    }
    place.src = picture;
  } catch {
    // A text with mistakes has no picture.
    place.replaceWith(h("span", { class: "faint" }, "no picture"));
  }
}

function showGames(): void {
  const dialog = byId<HTMLDialogElement>("games");
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      const image = target as HTMLImageElement;
      void paint(image, image.dataset.text!);
    }
  });
  const card = (title: string, text: string, note: string, choose: () => void, remove?: () => void) => {
    const image = h("img", { alt: "", "data-text": text });
    seen.observe(image);
    const go = () => {
      dialog.close();
      choose();
    };
    const main = h("button", { class: "card", onclick: go }, h("span", { class: "frame" }, image), h("b", {}, title), h("small", {}, note));
    return h("li", {}, main, remove && h("button", { class: "quiet remove", "aria-label": `Delete ${title}`, onclick: remove }, "Delete"));
  };
  const own = store.files().map((file) =>
    card(
      file.title,
      file.text,
      new Date(file.changed).toLocaleDateString(),
      () => void open({ base: file.base, text: file.text, variant: null, params: {}, start: null, seed: 1, moves: [] }, file.id),
      () => {
        if (!confirm(`Delete ${file.title}?`)) return;
        store.forget(file.id);
        if (id === file.id) id = null;
        showGames();
      },
    ),
  );
  const shipped = games.map((game) => {
    const note = game.variants.length ? `${game.variants.length} ${game.variants.length === 1 ? "variant" : "variants"}` : "";
    return card(game.title, game.text, note, () => void open(fresh(game), null));
  });
  dialog.replaceChildren(
    h("form", { method: "dialog" }, h("h2", {}, "Games"), h("button", { class: "close", "aria-label": "Close" }, "×")),
    ...(own.length ? [h("h3", {}, "Yours"), h("ul", { class: "cards" }, ...own), h("h3", {}, "Shipped")] : []),
    h("ul", { class: "cards" }, ...shipped),
  );
  if (dialog.open) return;
  dialog.showModal();
  dialog.scrollTop = 0;
}

async function share(): Promise<void> {
  Object.assign(sheet, play.played);
  // A shipped text needs not travel.
  const isShipped = sheet.text === base()?.text;
  const { text, ...rest } = sheet;
  const link = new URL(location.href);
  link.hash = await store.fragment((isShipped ? rest : sheet) as store.Sheet);
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link.href);
    toast("The link is on the clipboard: it holds the rules and the game");
  } catch {
    toast("The link stands in the address bar: it holds the rules and the game");
  }
}

/** What the link says, else what was open last, else the first game. */
async function first(): Promise<[store.Sheet, string | null]> {
  const fallback = games.find((game) => game.name === FIRST) ?? games[0];
  if (location.hash.length > 1) {
    const linked = await store.unpacked(location.hash.slice(1));
    const shipped = games.find((game) => game.name === linked?.base);
    const text = linked?.text ?? shipped?.text;
    // What changes from here on is not what the link says.
    history.replaceState(null, "", location.pathname + location.search);
    if (linked && text !== undefined) return [{ ...fresh(fallback), ...linked, text, base: shipped?.name ?? null }, null];
    toast("The link cannot be read: perhaps it was cut");
  }
  const kept = store.current();
  return kept ? [kept.sheet, kept.id] : [fresh(fallback), null];
}

function showPane(pane: string): void {
  document.body.dataset.pane = pane;
  for (const tab of document.querySelectorAll<HTMLElement>("#panes [role=tab]")) {
    const isShown = tab.dataset.to === pane;
    tab.setAttribute("aria-selected", String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
  }
  if (pane === "plan" && !byId("plan").childElementCount) void see.plan(0);
}

function drawTheme(): void {
  const theme = store.theme();
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = { light: "☀", dark: "☾" }[theme] ?? "◐";
  byId("theme").title = `Colours: ${theme}`;
}

function wire(): void {
  byId("pick").onclick = showGames;
  byId("share").onclick = () => void share();
  byId("format").onclick = () => void format();
  byId("revert").onclick = () => {
    const shipped = base();
    if (shipped) void open({ ...fresh(shipped), moves: [] }, null);
  };
  byId<HTMLSelectElement>("variant").onchange = (event) => {
    sheet.variant = (event.target as HTMLSelectElement).value || null;
    sheet.params = {};
    coverage.forget();
    void checkNow({ played: { start: null, seed: 1, moves: [] }, keepSeats: false });
  };
  byId("theme").onclick = () => {
    const order = ["auto", "light", "dark"];
    store.setTheme(order[(order.indexOf(store.theme()) + 1) % order.length]);
    drawTheme();
  };
  const tabs = [...document.querySelectorAll<HTMLElement>("#panes [role=tab]")];
  for (const tab of tabs) tab.onclick = () => showPane(tab.dataset.to!);
  byId("panes").onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const shown = tabs.filter((tab) => tab.offsetParent !== null);
    const next = shown[(shown.indexOf(event.target as HTMLElement) + step + shown.length) % shown.length];
    showPane(next.dataset.to!);
    next.focus();
  };
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.onclick = (event) => event.target === dialog && dialog.close();
  }
  NARROW.onchange = () => !NARROW.matches && document.body.dataset.pane === "rules" && showPane("play");
  window.onhashchange = () => location.hash.length > 1 && void first().then(([next, file]) => open(next, file));
}

async function begin(): Promise<void> {
  drawTheme();
  wire();
  showPane("play");
  try {
    const told = await author.ask<{ games: ShippedGame[]; prelude: string }>({ do: "games" });
    games = told.games;
    setPrelude(told.prelude);
    const [next, file] = await first();
    await open(next, file);
  } catch (error) {
    byId("status").textContent = error instanceof Error ? error.message : String(error);
    setReady(true);
  }
}

void begin();

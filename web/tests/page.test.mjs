// The built page in a real browser: what a designer does on it.

import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, readFileSync, existsSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { chromium } from "playwright-core";

const PAGE = new URL("../built/page/", import.meta.url).pathname;
const SHOTS = new URL("../screenshots/", import.meta.url).pathname;
/** The address of this machine, which browsers trust. */
const HOME = [127, 0, 0, 1].join(".");
const MOST_BYTES = 2 << 20;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

let server, context, page, address;
const errors = [];

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    const file = join(PAGE, path === "/" ? "index.html" : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, HOME, resolve));
  address = `http://${HOME}:${server.address().port}/`;
  context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), "page-")), {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
    headless: true,
    viewport: { width: 1360, height: 860 },
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(60_000);
  page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map((one) => one.duration))).observe({
      type: "longtask",
    });
  });
  await page.goto(address);
  await ready();
});

after(async () => {
  await context?.close();
  server?.close();
  assert.deepEqual(errors, []);
});

const ready = () => page.waitForSelector('body[data-ready="true"]');
const cell = (name) => page.locator(`#board [aria-label^="${name},"]`);
const status = (text) => page.waitForFunction((text) => document.querySelector("#status").textContent.includes(text), text);
const shot = (name) => page.screenshot({ path: join(SHOTS, `${name}.png`) });
const variant = (name) => page.selectOption("#variant", name);

/** Writes a text in place of the whole one. */
async function write(text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.click(".cm-content");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+v");
}

/** The whole text: the editor holds the lines alone that are seen. */
async function read() {
  await page.click(".cm-content");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+c");
  return page.evaluate(() => navigator.clipboard.readText());
}

async function choose(title) {
  await page.click("#pick");
  await page.locator("#games .card", { hasText: title }).first().click();
  await page.waitForFunction((title) => document.title.startsWith(title), title);
}

test("it loads under 2 MB compressed", () => {
  const size = (folder) =>
    readdirSync(folder).reduce((sum, name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return sum + size(path);
      return sum + brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
    }, 0);
  const bytes = size(PAGE);
  console.log(`${(bytes / 1024).toFixed(0)} KiB compressed`);
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
});

test("a first move by clicks, one by drag, one by keys, one typed, and back", async () => {
  await status("White to move");
  await cell("a2").click();
  await page.waitForSelector("#board .target");
  await cell("a3").click();
  await status("Black to move");
  await cell("b7").dragTo(cell("b6"));
  await status("White to move");
  await cell("c2").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("#board .target");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await status("Black to move");
  await page.fill("#move", "d7-d6");
  await page.click("#typed button");
  await status("White to move");
  assert.deepEqual(await page.locator("#moves li").allTextContents(), ["a2-a3", "b7-b6", "c2-c3", "d7-d6"]);
  await shot("play-light");
  for (let count = 3; count >= 0; count--) {
    await page.click("#undo");
    await page.waitForFunction((count) => document.querySelectorAll("#moves li").length === count, count);
  }
});

test("a rule is changed, its error seen and mended", async () => {
  const text = await read();
  await write(text.replace("pick p from own", "pick p from owm"));
  const problem = page.locator("#problems li.error").first();
  await problem.waitFor();
  assert.match(await problem.textContent(), /owm/);
  await page.waitForSelector("#stale:not([hidden])");
  await shot("error-light");
  await page.click("#problems .mend");
  await page.waitForSelector("#problems.fine");
  await write(text.replace("win if some own in last row", "lose if some own in last row"));
  await page.waitForSelector("#problems.fine");
  await page.click("#revert");
  await status("White to move");
});

test("Breakthrough is played to its end against the program", async () => {
  await variant("Breakthrough 5x5");
  await page.waitForFunction(() => document.querySelectorAll("#board .cell").length === 25);
  await page.locator("#seats select").nth(1).selectOption("program");
  await page.locator("#seats select").nth(2).selectOption({ index: 0 });
  for (let turn = 0; turn < 60; turn++) {
    await page.waitForFunction(() => /White to move|wins/.test(document.querySelector("#status").textContent));
    if (/wins/.test(await page.textContent("#status"))) break;
    const options = await page.locator("#board .cell.option").evaluateAll((all) => all.map((one) => one.dataset.cell));
    await page.locator(`#board [data-cell="${options.at(-1)}"]`).click();
    await page.waitForSelector("#board .target");
    await page.locator("#board .cell.option").last().click();
    await page.waitForFunction((count) => document.querySelectorAll("#moves li").length > count, turn * 2);
  }
  assert.match(await page.textContent("#status"), /(White|Black) wins/);
  await shot("won-light");
});

test("random games are counted while the page answers", async () => {
  await page.click('#panes [data-to="simulate"]');
  await page.evaluate(() => (globalThis.longTasks.length = 0));
  await page.click("#simulate .primary");
  await page.waitForSelector("#simulate .plot");
  await page.waitForFunction(() => document.querySelector("#simulate .primary").textContent !== "Stop");
  assert.match(await page.textContent("#simulate .figures"), /1,000games/);
  const long = await page.evaluate(() => Math.max(0, ...globalThis.longTasks));
  // The browser tells of tasks of 50 ms and more; a machine that is busy makes some of its own.
  assert.ok(long < 250, `${long} ms`);
  console.log(`longest task while simulating: ${long.toFixed(0)} ms`);
  await shot("simulate-light");
  await page.click('#panes [data-to="plan"]');
  await page.waitForSelector("#plan pre");
  await page.click('#panes [data-to="play"]');
});

test("a link holds the rules and the game", async () => {
  await choose("Othello");
  const text = await read();
  await write(text.replace('game "Othello"', 'game "My Othello"'));
  await page.waitForFunction(() => document.title.startsWith("My Othello"));
  await page.waitForSelector("#problems.fine");
  await page.locator("#board .cell.option").first().click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
  const moves = await page.locator("#moves li").allTextContents();
  await page.click("#share");
  await page.waitForSelector("#toast.shown");
  const link = await page.evaluate(() => location.href);
  const other = await context.newPage();
  other.on("pageerror", (error) => errors.push(String(error)));
  await other.goto(link);
  await other.waitForSelector('body[data-ready="true"]');
  assert.match(await other.title(), /^My Othello/);
  await other.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
  assert.deepEqual(await other.locator("#moves li").allTextContents(), moves);
  await other.close();
});

test("what has several readings is asked, and a hint is given", async () => {
  await choose("Fanorona");
  await page.locator("#board .cell.option").first().click();
  await page.waitForSelector("#board .target, #choices button");
  await page.keyboard.press("Escape");
  await page.click("#hint");
  await page.waitForSelector("#choices .hint-text");
  await shot("hint-light");
});

test("chance throws dice", async () => {
  await write(`game "Dice" {
  players White north, Black south
  board square 3 by 6
  piece man
  setup { place man on row 1   mirror }
  move {
    pick n from 1..3 by chance
    first { pick p from own   move p forward: ^ empty{n - 1} to empty } else { pass }
  }
  end { win if some own in last row   draw if turns >= 60 }
}
`);
  await page.waitForFunction(() => document.title.startsWith("Dice"));
  await page.waitForSelector("#problems li, #problems.fine");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
  assert.match(await page.textContent("#moves"), /\([123]\)/);
});

test("the gallery shows the games", async () => {
  await page.click("#pick");
  await page.waitForFunction(() => [...document.querySelectorAll("#games img")].slice(-12, -6).every((one) => one.src || one.alt) || document.querySelectorAll("#games img[src]").length >= 10);
  await shot("games-light");
  await page.keyboard.press("Escape");
});

test("a text that hangs or blows up is stopped with words", async () => {
  await write(`game "Deep" { players A, B board square 3 by 3 piece man move { need ${"(".repeat(3000)} } }`);
  await page.waitForSelector("#problems li.error");
  await write(`game "Many" {
  players White, Black
  board square 8 by 8
  piece stone
  move { pick a from empty  pick b from any  pick c from any  pick d from any  pick e from any  place stone on a }
  end { draw if turns >= 3 }
}
`);
  await page.waitForFunction(() => document.title.startsWith("Many"));
  await page.waitForSelector("#status .fault");
  await page.click("#revert");
  await page.waitForSelector("#problems.fine");
  await status("White to move");
});

test("a worker that does not answer is ended, and the page says so", async () => {
  const hung = await context.newPage();
  await hung.route(/worker.*\.js$/, (route) =>
    route.fulfill({ contentType: "text/javascript", body: "self.onmessage = () => { for (;;); };" }),
  );
  await hung.goto(address);
  await hung.waitForFunction(() => /took longer than \d+ seconds and was stopped/.test(document.body.textContent));
  await hung.close();
});

test("it looks right in the dark, and on a phone", async () => {
  await page.emulateMedia({ colorScheme: "dark" });
  await cell("d2").click();
  await page.waitForSelector("#board .target");
  await shot("play-dark");
  await page.click("#pick");
  await page.waitForTimeout(500);
  await shot("games-dark");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
  await shot("phone-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await shot("phone-play");
  await page.click('#panes [data-to="rules"]');
  await shot("phone-rules");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} pixels wide`);
  for (const size of await page.locator("#panes button").evaluateAll((all) => all.map((one) => one.offsetHeight))) {
    assert.ok(size >= 40, "a tab that a finger misses");
  }
});

// The built page in a real browser: what a designer does on it.

import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, readFileSync, existsSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
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
  // The script below wants to run in frames too, and a report lets none run.
  const isOurs = (text) => text.startsWith("Blocked script execution in 'about:srcdoc'");
  page.on("console", (message) => message.type() === "error" && !isOurs(message.text()) && errors.push(message.text()));
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map((one) => one.duration))).observe({
      type: "longtask",
    });
  });
  await page.goto(address);
  await ready();
});

// What one test leaves open is not in the way of the next.
beforeEach(() => page.evaluate(() => document.querySelectorAll("dialog[open]").forEach((one) => one.close())));

after(async () => {
  await context?.close();
  server?.close();
  assert.deepEqual(errors, []);
});

const ready = () => page.waitForSelector('body[data-ready="true"]');
const cell = (name) => page.locator(`#board [aria-label^="${name},"]`);
const status = (text) => page.waitForFunction((text) => document.querySelector("#status").textContent.includes(text), text);
const shot = (name) => page.screenshot({ path: join(SHOTS, `${name}.png`) });
/** The board of this game, with so many moves played. */
const board = (game, ply) => page.waitForSelector(`#board[data-game="${game}"][data-ply="${ply}"]:not([aria-busy])`);

/** Does what changes the text or the game, and waits until the page shows what comes of it. */
async function settled(change) {
  await page.evaluate(() => (document.body.dataset.ready = "asked"));
  await change();
  await ready();
}

/** Does what the page answers in words that pass: words of an earlier answer that still stand are no answer. */
async function told(change) {
  await page.evaluate(() => document.querySelector("#toast").classList.remove("shown"));
  await change();
  await page.waitForSelector("#toast.shown");
}

/** The link to what the page shows, which stands in the address bar once the page says so. */
async function shared() {
  await told(() => page.click("#share"));
  return page.evaluate(() => location.href);
}

const variant = (name) => settled(() => page.selectOption("#variant", name));
const revert = () => settled(() => page.click("#revert"));

/** Writes a text in place of the whole one. */
async function write(text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.click(".cm-content");
  await page.keyboard.press("ControlOrMeta+a");
  await settled(() => page.keyboard.press("ControlOrMeta+v"));
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
  // A file that an earlier test wrote and left may be called so too: it stands above the shipped ones.
  const shipped = page.locator("#games ul").last();
  await settled(() => shipped.locator(".card", { has: page.getByText(title, { exact: true }) }).click());
  await board(title, 0);
}

/** Pictures of the gallery that can be seen are drawn. */
const gallery = () =>
  page.waitForFunction(() => {
    const place = document.querySelector("#games").getBoundingClientRect();
    const seen = [...document.querySelectorAll("#games img")].filter((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top < place.bottom && bottom > place.top;
    });
    return seen.length > 6 && seen.every((one) => one.complete && one.naturalWidth > 0);
  });

/** What lies over something else in the pane of the board, or does not fit into the page; in words. */
function overlaps() {
  const box = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      if (getComputedStyle(parent).overflow === "visible") continue;
      const clip = parent.getBoundingClientRect();
      [left, top] = [Math.max(left, clip.left), Math.max(top, clip.top)];
      [right, bottom] = [Math.min(right, clip.right), Math.min(bottom, clip.bottom)];
    }
    return { element, left, top, right, bottom };
  };
  const name = ({ element }) => element.id || element.getAttribute("aria-label") || element.textContent || element.tagName;
  const meets = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const found = [];
  const pane = document.querySelector("#play");
  const all = [...document.querySelectorAll("button, select, input, textarea, summary, [role=tab]")];
  for (const at of [0, 0.5, 1]) {
    pane.scrollTop = at * (pane.scrollHeight - pane.clientHeight);
    const cells = [...document.querySelectorAll("#board .cell")].map(box);
    const controls = all.filter((one) => one.checkVisibility() && !one.closest("dialog")).map(box);
    for (const cell of cells) {
      for (const control of controls) if (meets(cell, control)) found.push(`${name(cell)} lies over ${name(control)}`);
    }
    controls.forEach((one, at) => {
      for (const other of controls.slice(at + 1)) if (meets(one, other)) found.push(`${name(one)} lies over ${name(other)}`);
    });
  }
  pane.scrollTop = 0;
  // As much as a line that is rounded.
  const place = document.querySelector("#board").getBoundingClientRect();
  for (const one of document.querySelectorAll("#board .cell")) {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const isIn = left > place.left - 2 && right < place.right + 2 && top > place.top - 2 && bottom < place.bottom + 2;
    if (!isIn) found.push(`${name({ element: one })} lies outside of the board`);
  }
  if (pane.scrollWidth > pane.clientWidth) found.push(`the pane is ${pane.scrollWidth - pane.clientWidth} pixels too wide`);
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push(`the page is ${wide} pixels too wide`);
  return found;
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
  await write(text.replace("win if no enemy", "draw if no enemy"));
  await page.waitForSelector("#problems.fine");
  // The rules carry an example that says otherwise.
  await write(text.replace("win if some own in last row", "lose if some own in last row"));
  await page.locator("#problems li.error").first().waitFor();
  await revert();
  await status("White to move");
});

test("Breakthrough is played to its end against the program", async () => {
  await variant("Breakthrough 5x5");
  await board("Breakthrough 5x5", 0);
  assert.equal(await page.locator("#board .cell").count(), 25);
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
  let long = Infinity;
  // The browser tells of tasks of 50 ms and more. A machine that is busy makes some of its own, but not each time.
  for (let attempt = 0; attempt < 4 && long >= 250; attempt++) {
    await page.evaluate(() => (globalThis.longTasks.length = 0));
    await page.click("#simulate .primary");
    await page.waitForFunction(() => document.querySelector("#simulate .primary").textContent !== "Stop");
    await page.waitForSelector("#simulate .plot");
    assert.match(await page.textContent("#simulate .figures"), /1,000games/);
    long = await page.evaluate(() => Math.max(0, ...globalThis.longTasks));
  }
  assert.ok(long < 250, `${long} ms`);
  console.log(`longest task while simulating: ${long.toFixed(0)} ms`);
  await shot("simulate-light");
  await page.click('#panes [data-to="plan"]');
  await page.waitForSelector("#plan pre");
  await page.click('#panes [data-to="play"]');
});

/** What stands in the page of the report. */
const reported = async () => {
  const frame = await (await page.waitForSelector("#report iframe")).contentFrame();
  await frame.waitForSelector("footer");
  return frame;
};

test("a report is made while the page answers, and saved", async () => {
  await variant("Breakthrough 5x5");
  await page.click('#panes [data-to="report"]');
  await page.selectOption("#report select", "15");
  await page.evaluate(() => (globalThis.longTasks.length = 0));
  await page.click("#report .primary");
  await page.waitForFunction(() => /rising strength.*others/.test(document.querySelector("#report [role=status]").textContent));
  assert.ok((await page.locator("#report progress").getAttribute("value")) > 0);
  await shot("report-running");
  const frame = await reported();
  const headings = await frame.locator("h1, h2").allTextContents();
  for (const heading of ["Breakthrough 5x5", "What stands out", "Players of rising strength", "How much skill matters", "Measures"]) {
    assert.ok(headings.includes(heading), `${heading} of ${headings}`);
  }
  assert.ok((await frame.locator("svg.plot").count()) > 1);
  assert.match(await frame.locator("footer code").textContent(), /^lusoria report breakthrough --variant "Breakthrough 5x5" --seed 1 --time 15s$/);
  await frame.locator('nav a[href="#measures"]').click();
  assert.ok(await frame.locator("#measures").evaluate((heading) => Math.abs(heading.getBoundingClientRect().top) < 2));
  const long = await page.evaluate(() => Math.max(0, ...globalThis.longTasks));
  console.log(`longest task while a report was made: ${long.toFixed(0)} ms`);
  await shot("report-light");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("text=Save as a file")]);
  assert.equal(saved.suggestedFilename(), "breakthrough-5x5-report.html");
  assert.match(readFileSync(await saved.path(), "utf8"), /^<!DOCTYPE html>.*Breakthrough 5x5.*<\/html>\s*$/s);
  // A page that is made while nobody works on it may block it for the time of one picture.
  assert.ok(long <= 50, `${long} ms`);
});

test("a report that is stopped tells what was done by then, and one of other rules goes", async () => {
  await variant("");
  await page.selectOption("#report select", "300");
  await page.click("#report .primary");
  await page.waitForFunction(() => /[1-9][\d,]* random games/.test(document.querySelector("#report [role=status]").textContent));
  await page.click("#report .primary");
  const frame = await reported();
  assert.match(await frame.locator(".lead").textContent(), /stopped early/);
  assert.equal(await page.textContent("#report .primary"), "Make a report");
  await page.click("#report .primary");
  await page.waitForSelector("#report iframe", { state: "detached" });
  await variant("Breakthrough 5x5");
  await page.waitForFunction(() => document.querySelector("#report .results").hidden);
  assert.equal(await page.textContent("#report .primary"), "Make a report");
  await variant("");
  await page.click('#panes [data-to="play"]');
});

test("what random games use is told in the margin and in words", async () => {
  await choose("Breakthrough");
  const counts = () => page.locator(".cm-counts .cm-gutterElement span").allTextContents();
  assert.deepEqual(await counts(), []);
  await page.click("#cover");
  await page.waitForSelector("#covered:not([aria-busy]) .sum");
  assert.equal(await page.getAttribute("#cover", "aria-pressed"), "true");
  const seen = await counts();
  assert.ok(seen.some((count) => Number(count) > 100), `${seen}`);
  await shot("coverage-light");
  // A rule that nothing can ever use is told, and pointed to.
  const text = await read();
  await write(text.replace("win if some own in last row", "win if some own in last row\n    lose if count(own) > 64"));
  await page.waitForSelector("#covered:not([aria-busy]) .sum");
  const never = page.locator("#covered .problem", { hasText: "lose if count(own) > 64" });
  assert.match(await never.textContent(), /^line \d+/);
  await never.click();
  assert.match(await page.textContent(".cm-activeLine"), /lose if count\(own\) > 64/);
  assert.equal(await page.getAttribute(".cm-activeLine", "aria-description"), "never used");
  assert.ok((await counts()).includes("never"));
  await shot("coverage-never-light");
  // A change makes the counts those of other lines, and mistakes end them.
  await write(text.replace("from own", "from owm"));
  assert.deepEqual(await counts(), []);
  await revert();
  assert.equal(await page.getAttribute("#cover", "aria-pressed"), "false");
  // They come with random games as well, and stand below them.
  await page.click('#panes [data-to="simulate"]');
  await page.selectOption("#simulate select", "100");
  await page.click("#simulate .primary");
  await page.waitForSelector("#idle:not([aria-busy]) .sum");
  assert.match(await page.textContent("#idle"), /100 random games/);
  await page.selectOption("#simulate select", "1000");
  await page.click("#cover");
  await page.waitForFunction(() => !document.querySelector("#idle").textContent);
  await page.click('#panes [data-to="play"]');
});

test("params are set by keys, make another board, and travel in the link", async () => {
  await choose("Breakthrough");
  const size = page.locator("#params input");
  assert.equal(await size.inputValue(), "8");
  await size.focus();
  await settled(async () => {
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  });
  await page.waitForFunction(() => document.querySelectorAll("#board .cell").length === 49);
  assert.equal(await page.evaluate(() => document.activeElement.id), "param-size", "the focus stays");
  await shot("params-light");
  await page.locator("#board .cell.option").first().click();
  await page.waitForSelector("#board .target");
  await page.locator("#board .cell.option").last().click();
  await board("Breakthrough", 1);
  const link = await shared();
  const other = await context.newPage();
  other.on("pageerror", (error) => errors.push(String(error)));
  await other.goto(link);
  await other.waitForSelector('#board[data-ply="1"]');
  assert.equal(await other.locator("#board .cell").count(), 49);
  assert.equal(await other.inputValue("#params input"), "7");
  await other.close();
  // What the rules do not allow is told, and mended by another value.
  await settled(async () => {
    await size.fill("3");
    await page.keyboard.press("Enter");
  });
  await page.waitForSelector("#status .fault");
  assert.match(await page.textContent("#status"), /size/);
  await settled(() => page.click("#params-reset"));
  await board("Breakthrough", 0);
  assert.equal(await page.locator("#board .cell").count(), 64);
  await choose("Nine Men's Morris");
  await settled(() => page.getByLabel("cross").check());
  await page.waitForSelector("#params label.set");
  await variant("");
  assert.equal(await page.getByLabel("cross").isChecked(), false);
});

test("a link holds the rules and the game", async () => {
  await choose("Othello");
  const text = await read();
  await write(text.replace('game "Othello"', 'game "My Othello"'));
  await page.waitForSelector("#problems.fine");
  await board("My Othello", 0);
  await page.locator("#board .cell.option").first().click();
  await board("My Othello", 1);
  const moves = await page.locator("#moves li").allTextContents();
  const link = await shared();
  const other = await context.newPage();
  other.on("pageerror", (error) => errors.push(String(error)));
  await other.goto(link);
  await other.waitForSelector('body[data-ready="true"]');
  assert.match(await other.title(), /^My Othello/);
  await other.waitForSelector('#board[data-game="My Othello"][data-ply="1"]');
  assert.deepEqual(await other.locator("#moves li").allTextContents(), moves);
  await other.close();
});

test("what has several readings is asked, and a hint is given", async () => {
  await choose("Fanorona");
  await page.locator("#board .cell.option").first().click();
  await page.waitForSelector("#board .target, #choices button");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("#board .chosen"));
  await page.click("#hint");
  await page.waitForSelector("#choices .hint-text");
  await shot("hint-light");
});

test("what is clicked while another game comes is not played on it", async () => {
  for (const title of ["Othello", "Fanorona", "Othello"]) {
    await page.click("#pick");
    await settled(() =>
      page.evaluate((title) => {
        const cards = [...document.querySelectorAll("#games .card")];
        cards.find((card) => card.querySelector("b").textContent === title).click();
        const click = () => {
          const { game } = document.querySelector("#board").dataset;
          if (game === title || !document.querySelector("#games .card")) return;
          document.querySelector("#board .cell.option")?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
          setTimeout(click);
        };
        click();
      }, title),
    );
    await page.waitForFunction((title) => document.querySelector("#board").dataset.game === title, title);
    assert.equal(await page.getAttribute("#board svg", "aria-label"), `Board of ${title}`);
    assert.deepEqual(await page.evaluate(overlaps), []);
  }
});

test("a position that cannot be set up leaves the game as it was", async () => {
  await choose("Othello");
  await page.locator("#board .cell.option").first().click();
  await board("Othello", 1);
  const details = page.locator("#play details");
  await details.locator("summary").click();
  const position = await page.inputValue("#position");
  await page.fill("#position", "no position");
  await told(() => page.click("#set-up button:not([type])"));
  await board("Othello", 1);
  await page.fill("#position", position);
  await page.click("#set-up button:not([type])");
  await board("Othello", 0);
  assert.equal(await page.inputValue("#position"), position);
  await details.locator("summary").click();
});

test("no board lies over anything else, for any game and size of the window", async () => {
  const normal = page.viewportSize();
  const sizes = [
    [320, 480], [390, 844], [640, 360], [768, 1024], [861, 500], [1024, 320], [1360, 860], [3840, 2160],
  ];
  await page.click("#pick");
  const titles = await page.locator("#games ul").last().locator(".card b").allTextContents();
  await page.keyboard.press("Escape");
  assert.ok(titles.length > 20);
  for (const [at, title] of titles.entries()) {
    await choose(title);
    // Each game is shown in three of the sizes, so each size shows every kind of board.
    for (const shift of [0, 3, 5]) {
      const [width, height] = sizes[(at + shift) % sizes.length];
      await page.setViewportSize({ width, height });
      assert.deepEqual(await page.evaluate(overlaps), [], `${title} at ${width} by ${height}`);
    }
  }
  await page.setViewportSize(normal);
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
  await board("Dice", 1);
  assert.match(await page.textContent("#moves"), /\([123]\)/);
});

test("the gallery shows the games", async () => {
  await page.click("#pick");
  await gallery();
  await shot("games-light");
  await page.keyboard.press("Escape");
});

test("a text that hangs or blows up is stopped with words", async () => {
  await choose("Breakthrough");
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
  await page.waitForSelector("#status .fault");
  await revert();
  await page.waitForSelector("#problems.fine");
  await board("Breakthrough", 0);
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
  await choose("Breakthrough");
  await page.emulateMedia({ colorScheme: "dark" });
  await cell("d2").click();
  await page.waitForSelector("#board .target");
  await shot("play-dark");
  await page.click("#pick");
  await gallery();
  await shot("games-dark");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
  await shot("phone-dark");
  await page.click('#panes [data-to="report"]');
  await page.selectOption("#report select", "15");
  await page.click("#report .primary");
  const frame = await reported();
  assert.ok((await frame.locator("html").evaluate((all) => all.scrollWidth - all.clientWidth)) <= 0, "too wide");
  assert.equal(await frame.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor), "rgb(23, 24, 26)");
  await shot("phone-report-dark");
  await page.click('#panes [data-to="play"]');
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

test("on a small phone titles are read whole, and words lie over no tab", async () => {
  await page.setViewportSize({ width: 360, height: 720 });
  await page.click('#panes [data-to="play"]');
  await choose("Nine Men's Morris");
  await shot("small-phone");
  assert.ok((await page.locator("#title").evaluate((title) => title.scrollWidth - title.clientWidth)) <= 0, "a title cut short");
  const isWhole = await page.locator("#variant").evaluate((select) => {
    const style = getComputedStyle(select);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return [...select.options].every((option) => pen.measureText(option.text).width < room - 24);
  });
  assert.ok(isWhole, "a variant cut short");
  await shared();
  const [word, tabs] = await Promise.all(["#toast", "#panes"].map((one) => page.locator(one).boundingBox()));
  assert.ok(word.y + word.height <= tabs.y + 20, "words over the tabs");
});

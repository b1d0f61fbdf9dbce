import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const LANGUAGE = new URL("../docs/language.md", import.meta.url);
const GRAMMAR = new URL("../grammar/lexical.pest", import.meta.url);

/** What the reference says of a word: the rows of its tables, by each word that the first column begins with. */
function explained(page: string): Record<string, { form: string; text: string; part: string }> {
  const words: Record<string, { form: string; text: string; part: string }> = {};
  let part = "";
  for (const line of page.split("\n")) {
    const heading = /^#+ (.*)/.exec(line);
    if (heading) part = heading[1];
    const cells = line.startsWith("| ") ? line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()) : [];
    if (cells.length < 2 || !cells[0].includes("`")) continue;
    const text = cells[1].replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/: below$/, "");
    for (const [, form] of cells[0].matchAll(/`([^`]+)`/g)) {
      const word = /^[a-z_]+/.exec(form)?.[0];
      if (word && text && !(word in words)) words[word] = { form, text, part };
    }
  }
  return words;
}

/** `virtual:words`: the words of the language, from its grammar and its reference. */
function words(): Plugin {
  return {
    name: "words",
    resolveId: (id) => (id === "virtual:words" ? "\0words" : undefined),
    load(id) {
      if (id !== "\0words") return;
      const grammar = readFileSync(GRAMMAR, "utf8");
      const keywords = [...grammar.matchAll(/^kw_\w+ = @\{ "(\w+)"/gm)].map((found) => found[1]);
      const reserved = [...grammar.slice(grammar.indexOf("reserved = _{ (")).split(") ~")[0].matchAll(/"(\w+)"/g)];
      return `export const keywords = ${JSON.stringify(keywords)};
export const reserved = ${JSON.stringify(reserved.map((found) => found[1]))};
export const explained = ${JSON.stringify(explained(readFileSync(LANGUAGE, "utf8")))};`;
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [words()],
  worker: { format: "es" },
  build: { outDir: "built/page", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 900 },
});

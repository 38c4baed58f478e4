import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

/** Holds the documentation to the tree: relative links, and words in backticks that are paths or symbols. */

const FOLDERS = "{bench,deploy,docs,infra,services,shared,tests}";
const PAGES = globSync(["*.md", `${FOLDERS}/**/*.md`]).filter(
  (page) =>
    !/CHANGELOG|node_modules|\/samples\/|\/eval\/|prompt\.md|procedures\/|docs\/reference\//.test(page),
);
const FILES = globSync(`${FOLDERS}/**/*.*`).filter((path) => !path.includes("node_modules"));
const CODE = FILES.filter((path) => /\.(?:ts|mjs|js|lua|json|yml|template)$/.test(path));
const WORDS = new Set(CODE.flatMap((path) => readFileSync(path, "utf8").match(/\w+/g) ?? []));

const IS_PATH = /^(?:bench|deploy|docs|infra|services|shared|tests)\/[\w./*{},-]+$/;
const IS_FILE = /^[\w./-]+\.(?:ts|mjs|lua|proto)$/;
const IS_SYMBOL = /^[A-Za-z]+[a-z0-9][A-Z]\w*(?:\(\))?$/;

/** Words in backticks that are not ours. */
const FOREIGN: Readonly<Record<string, string>> = {
  createJob: "BullMQ",
  DelayedError: "BullMQ",
};

/** Paths that are written only when needed, and those of a reader's own project. */
const WRITTEN_LATER: ReadonlySet<string> = new Set([
  "suture.config.ts",
  "teams/report/team.ts",
  "teams/report/team.test.ts",
  "client.ts",
]);

const read = (page: string): string => readFileSync(page, "utf8").replaceAll(/^```[^]*?^```/gm, "");
const quoted = (page: string): string[] =>
  [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);

function missingIn(find: (page: string) => string[]): string[] {
  return PAGES.flatMap((page) => find(page).map((name) => `${page}: ${name}`));
}

/** Paths stand from the root, from the page's folder, or from a folder below it; in `docs` from any folder. */
function isThere(page: string, path: string): boolean {
  if (WRITTEN_LATER.has(path)) return true;
  if (path.includes("*") || path.includes("{")) return globSync([path, join(dirname(page), path)]).length > 0;
  if (existsSync(path) || existsSync(join(dirname(page), path))) return true;
  const below = /^(?:docs|tests)\/|^[^/]+$/.test(page) ? "" : `${dirname(page)}/`;
  return FILES.some((file) => file.startsWith(below) && file.endsWith(`/${path}`));
}

describe("the documentation", () => {
  it("links to files that are there", () => {
    const missing = missingIn((page) =>
      [...read(page).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, path = ""]) => path)
        .filter((path) => !existsSync(join(dirname(page), path))),
    );
    expect(missing).toEqual([]);
  });

  it("names paths that are there", () => {
    const missing = missingIn((page) =>
      quoted(page).filter((word) => (IS_PATH.test(word) || IS_FILE.test(word)) && !isThere(page, word)),
    );
    expect(missing).toEqual([]);
  });

  it("names symbols that are there", () => {
    const missing = missingIn((page) =>
      quoted(page).filter((word) => {
        const name = word.replace("()", "");
        return IS_SYMBOL.test(word) && !WORDS.has(name) && !Object.hasOwn(FOREIGN, name);
      }),
    );
    expect(missing).toEqual([]);
  });

  it("finds the field's terms in the files that the glossary names", () => {
    const rows = [...read("docs/glossary.md").matchAll(/^\| ([^|]+) \| [^|]+ \| `([^`|]+)` \|$/gm)];
    expect(rows.length).toBeGreaterThan(30);
    const missing = rows.filter(
      ([, term = "", path = ""]) =>
        !existsSync(path) || !readFileSync(path, "utf8").replaceAll("\n", " ").includes(term),
    );
    expect(missing.map(([, term = "", path = ""]) => `${path}: ${term}`)).toEqual([]);
  });

  it("numbers decisions without gaps, all in one form", () => {
    const records = readdirSync("docs/decisions").toSorted();
    expect(records.map((name) => name.slice(0, 4))).toEqual(
      records.map((_, index) => String(index + 1).padStart(4, "0")),
    );
    for (const name of records) {
      const text = readFileSync(join("docs/decisions", name), "utf8");
      expect(text, name).toMatch(new RegExp(`^# ${name.slice(0, 4)} · .+\n\n\\d{4}-\\d{2}-\\d{2}\\.`));
      expect(text, name).toContain("\n**Decision.** ");
    }
  });

  it("keeps the README within 700 words", () => {
    expect(readFileSync("README.md", "utf8").split(/\s+/).length).toBeLessThanOrEqual(700);
  });
});

import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder, writeProject } from "../testing/repair-in-memory.ts";
import { lookAround } from "./look-around.ts";

function open() {
  const base = temporaryFolder();
  writeFileSync(join(base, "outside.js"), "export const secret = 1;\n");
  const root = join(base, "project");
  writeProject(root, {
    "src/price.js": Array.from({ length: 450 }, (_, index) => `// line ${index + 1}`).join("\n"),
    "src/wide.js": "x".repeat(50_000),
    "src/nul.js": "a\0b",
    ".env": "PRICE_KEY=secret",
    ".git/config": "secret",
    "node_modules/a/index.js": "// line 1",
  });
  symlinkSync(join(base, "outside.js"), join(root, "src/link.js"));
  const tools = new Map(lookAround(root).map((tool) => [tool.name, tool]));
  return async (name: string, given: object): Promise<unknown> => {
    const prepared = tools.get(name)?.prepare(given);
    if (prepared === undefined || "issues" in prepared) return "bad arguments";
    const { signal } = new AbortController();
    const checked = await prepared
      .run({ signal, idempotencyKey: "" })
      .catch((error: Error) => ({ ok: true, value: error.message }));
    return "value" in checked ? checked.value : checked;
  };
}

test("a model lists, searches and reads a checkout within bounds", async () => {
  const use = open();
  expect(await use("list_files", {})).toEqual({
    paths: ["src/nul.js", "src/price.js", "src/wide.js"],
    more: 0,
  });
  expect(await use("search", { text: "line 17" })).toMatchObject({
    hits: [{ path: "src/price.js", line: 17 }, ...Array.from({ length: 10 }, () => expect.anything())],
  });
  const read = await use("read_file", { path: "src/price.js", from_line: 440 });
  expect(read).toMatchObject({
    from_line: 440,
    lines_in_all: 450,
    text: expect.stringMatching(/^\/\/ line 440\n/),
  });
  expect(JSON.stringify(await use("read_file", { path: "src/wide.js" })).length).toBeLessThan(13_000);
});

test.each([
  ["a step up", "../outside.js"],
  ["an absolute path", "/etc/hostname"],
  ["a link that leads out", "src/link.js"],
  ["a file of keys", ".env"],
  ["the history", ".git/config"],
  ["a binary file", "src/nul.js"],
  ["a folder", "src"],
  ["nothing that is there", "src/none.js"],
])("a model reads no %s", async (_, path) => {
  const use = open();
  expect(["bad arguments", "The project has no such text file that may be read."]).toContain(
    await use("read_file", { path }),
  );
});

test("a search finds nothing in files of keys, in the history and outside", async () => {
  expect(await open()("search", { text: "secret" })).toEqual({ hits: [], is_cut: false });
});

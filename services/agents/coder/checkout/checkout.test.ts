import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { writeProject } from "../testing/repair.ts";
import { copyCheckout, walkFiles, readText, searchText } from "./checkout-files.ts";
import { openCheckout } from "../setup.ts";
import { isProjectPath, isRunAsTest } from "./project-path.ts";
import { lookAround } from "./look-around.ts";

const { signal } = new AbortController();
const bytesMax = 10_000;

/** A checkout beside something that is none of its business. */
function openProject(): { base: string; root: string } {
  const base = temporaryFolder();
  writeProject(base, {
    "secret.txt": "needle outside",
    "project/src/a.js": 'import "./b.js";\nconst needle = 1;\n',
    "project/src/b.js": "needle();\nneedle();\n",
    "project/.git/config": "needle",
    "project/node_modules/x/index.js": "needle",
    "project/blob.bin": "needle\u0000",
  });
  const root = join(base, "project");
  symlinkSync(join(base, "secret.txt"), join(root, "link.txt"));
  symlinkSync(base, join(root, "up"));
  return { base, root };
}

describe("a checkout", () => {
  test("is found by its name below the folder of checkouts, and nowhere else", async () => {
    const { base } = openProject();
    expect(await openCheckout(base, "project")).toContain("project");
    for (const name of [
      "..",
      "../project",
      "/etc",
      "project/../project",
      "none",
      "secret.txt",
      "project/up",
      "",
    ])
      expect(await openCheckout(base, name), name).toBe(null);
  });

  test("is walked without links, history and dependencies", async () => {
    const { root } = openProject();
    const files = await walkFiles({ root, signal });
    expect(files.map(({ path }) => path)).toEqual(["blob.bin", "src/a.js", "src/b.js"]);
  });

  test("is refused when it has more files than the bound", async () => {
    const { root } = openProject();
    const walk = walkFiles({ root, filesMax: 1, signal });
    await expect(walk).rejects.toMatchObject({ code: "CODER_CHECKOUT_TOO_LARGE" });
  });

  test("gives no text by way of a link, from outside, of a binary or of what is too long", async () => {
    const { root } = openProject();
    for (const path of ["link.txt", "up/secret.txt", "../secret.txt", "blob.bin", ".git/config", "src"])
      expect(await readText({ root, path }), path).toBe(null);
    expect(await readText({ root, path: "src/a.js", bytesMax: 3 })).toBe(null);
    expect(await readText({ root, path: "src/a.js", bytesMax })).toContain("needle");
  });

  test("is searched verbatim, each term with its share of places", async () => {
    const { root } = openProject();
    const files = await walkFiles({ root, signal });
    const found = await searchText({
      root,
      files,
      terms: ["needle", "import"],
      hitsMax: 4,
      signal,
    });
    expect(found.hits.map(({ path, line }) => `${path}:${line}`)).toEqual([
      "src/a.js:1",
      "src/a.js:2",
      "src/b.js:1",
    ]);
    expect(found.isCut).toBe(true);
  });

  test("is copied with its dependencies and without anything that leads back", async () => {
    const { base, root } = openProject();
    const to = join(base, "copy");
    await copyCheckout({ from: root, to, signal });
    expect(existsSync(join(to, "node_modules/x/index.js"))).toBe(true);
    for (const gone of ["link.txt", "up", ".git"]) expect(existsSync(join(to, gone)), gone).toBe(false);
    writeFileSync(join(to, "src/a.js"), "changed");
    expect(await readText({ root, path: "src/a.js", bytesMax })).toContain("needle");
  });

  test("is not copied when it is too large", async () => {
    const { base, root } = openProject();
    mkdirSync(join(base, "copy"));
    const copy = copyCheckout({
      from: root,
      to: join(base, "copy"),
      bytesMax: 10,
      signal,
    });
    await expect(copy).rejects.toMatchObject({ code: "CODER_CHECKOUT_TOO_LARGE" });
    expect(existsSync(join(base, "copy/src"))).toBe(false);
  });
});

test("a path that leads out of a project is none, however it is made", () => {
  const step = fc.constantFrom("..", ".", "", "a", "src", "b.js", "~", " ");
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
      const path = steps.join("/");
      const isInside = path !== "" && steps.every((one) => !["..", ".", ""].includes(one));
      expect(isProjectPath(path)).toBe(isInside);
    }),
  );
  for (const path of ["C:/x", "a\\b", "a\u0000b", "a\nb", "/a", "a/"])
    expect(isProjectPath(path), path).toBe(false);
});

test("tests are told by their names and folders", () => {
  for (const path of ["a.test.js", "test/a.js", "x/a_test.mjs", "test-a.js"])
    expect(isRunAsTest(path), path).toBe(true);
  for (const path of ["latest.js", "contest/a.js", "node_modules/x/test/a.js", "test/data.json"])
    expect(isRunAsTest(path), path).toBe(false);
});

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

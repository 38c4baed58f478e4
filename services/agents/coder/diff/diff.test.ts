import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyDiff, digestDiff, parseDiff, refusePaths } from "./diff.ts";
import { writeDiff } from "../testing/repair.ts";

const BEFORE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";
const only = (text: string | null) => (path: string) => (path === "a.js" ? text : null);
const change = (body: string): string => `--- a/a.js\n+++ b/a.js\n${body}`;

describe("a diff", () => {
  test("written and applied gives the text it was written for", () => {
    const line = fc.constantFrom("a", "b", "", "{", "}", "-x", "+y", "@@", "\\ No");
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
      .map(([lines, ends]) => lines.join("\n") + (ends && lines.length > 0 ? "\n" : ""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after && before !== "" && after !== "");
        const applied = applyDiff(writeDiff("a.js", before, after), only(before));
        expect(applied).toMatchObject({ ok: true });
        expect(applied.ok && applied.files.get("a.js")).toBe(after);
      }),
      { numRuns: 300 },
    );
  });

  test("is applied where its lines stand when they were counted wrongly", () => {
    const diff = change("@@ -7,3 +7,3 @@\n three\n-four\n+FOUR\n five\n");
    const applied = applyDiff(diff, only(BEFORE));
    expect(applied.ok && applied.files.get("a.js")).toBe(BEFORE.replace("four", "FOUR"));
  });

  test("is refused where a single message of its context differs", () => {
    const applied = applyDiff(change("@@ -1,2 +1,2 @@\n One\n-two\n+TWO\n"), only(BEFORE));
    expect(applied).toMatchObject({
      ok: false,
      path: "a.js",
      problem: expect.stringContaining("does not match"),
    });
  });

  test.each([
    ["other line breaks", "@@ -2 +2 @@\n-two\n+TWO\n", BEFORE.replaceAll("\n", "\r\n")],
    ["a missing line break that the file has", "@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n", "x\n"],
  ])("is refused with %s", (_, body, before) => {
    expect(applyDiff(change(body), only(before))).toMatchObject({ ok: false, problem: expect.any(String) });
  });

  test("changes the last line's break alone where it says so", () => {
    const body = "@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n";
    const applied = applyDiff(change(body), only("x"));
    expect(applied.ok && applied.files.get("a.js")).toBe("x\n");
  });

  test("adds and removes whole files", () => {
    const added = applyDiff("--- /dev/null\n+++ b/new.js\n@@ -0,0 +1,2 @@\n+a\n+b\n", () => null);
    expect(added.ok && added.files.get("new.js")).toBe("a\nb\n");
    const removed = applyDiff("--- a/a.js\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", only("a\nb\n"));
    expect(removed.ok && removed.files.get("a.js")).toBe(null);
    expect(applyDiff("--- /dev/null\n+++ b/a.js\n@@ -0,0 +1,1 @@\n+a\n", only("x"))).toMatchObject({
      ok: false,
    });
  });

  test.each([
    ["a path that leads out", "--- a/../x.js\n+++ b/../x.js\n@@ -1 +1 @@\n-a\n+b\n"],
    ["an absolute path", "--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n"],
    ["a path of another system", "--- a/C:\\x.js\n+++ b/C:\\x.js\n@@ -1 +1 @@\n-a\n+b\n"],
    ["the project's history", "--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-a\n+b\n"],
    [
      "a link",
      "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n",
    ],
    ["a binary", "diff --git a/x.png b/x.png\nGIT binary patch\nliteral 10\n"],
    ["a change of mode", "diff --git a/a.js b/a.js\nold mode 100644\nnew mode 100755\n"],
    ["a renaming", "--- a/a.js\n+++ b/b.js\n@@ -1 +1 @@\n-a\n+b\n"],
    ["counts that are wrong", "--- a/a.js\n+++ b/a.js\n@@ -1,3 +1,1 @@\n-a\n+b\n"],
    ["too many lines", "--- a/a.js\n+++ b/a.js\n@@ -1,1 +1,1 @@\n-a\n+b\n+c\n"],
    [
      "a path that leads out, quoted as git does",
      '--- "a/\\056\\056/x.js"\n+++ "b/\\056\\056/x.js"\n@@ -1 +1 @@\n-a\n+b\n',
    ],
    [
      "the project's history, quoted",
      '--- "a/.g\\151t/config"\n+++ "b/.g\\151t/config"\n@@ -1 +1 @@\n-a\n+b\n',
    ],
    ["a file that is named for git alone", "diff --git a/a.js b/a.js\n@@ -1 +1 @@\n-a\n+b\n"],
    ["headers of other tools", "Index: a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-a\n+b\n"],
    ["prose after a hunk", `${change("@@ -1 +1 @@\n-a\n+b\n")}Hope this helps!\n`],
    ["lines before the first file", `+x\n${change("@@ -1 +1 @@\n-a\n+b\n")}`],
    ["lines after a blank one", `${change("@@ -1 +1 @@\n-a\n+b\n")}\n+c\n`],
    ["a hunk's header without numbers", change("@@ here @@\n-a\n+b\n")],
    ["a line number that no file has", change("@@ -10000000 +10000000 @@\n-a\n+b\n")],
    ["no change", ""],
    ["prose", "Here is the patch you asked for.\n"],
    ["a file twice", `${change("@@ -1 +1 @@\n-a\n+b\n")}${change("@@ -3 +3 @@\n-a\n+b\n")}`],
  ])("is refused with %s", (_, diff) => {
    expect(parseDiff(diff)).toMatchObject({ ok: false, problem: expect.any(String) });
  });

  test("never fails on whatever text, and never takes long", () => {
    const piece = fc.constantFrom(
      "--- a/a.js\n",
      "+++ b/a.js\n",
      "@@ -1,2 +1,2 @@\n",
      " x\n",
      "-y\n",
      "+z\n",
      "\\ No\n",
      "é\u0000",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        expect(() => applyDiff(text, only("x\ny\n"))).not.toThrow();
      }),
    );
  });

  test("is known again by its digest", () => {
    expect(digestDiff(change("@@ -1 +1 @@\n-a\n+b\n"))).toMatch(/^[0-9a-f]{16}$/);
    expect(digestDiff("a\n")).not.toBe(digestDiff("b\n"));
  });
});

describe("the paths of a diff", () => {
  const at = (path: string): string => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
  const allowed = { editable: [], tests: ["checks/a.js"] };

  test.each([
    ["test/a.test.js", "changes_tests"],
    ["Test/fixture.json", "changes_tests"],
    ["src/a.spec.ts", "changes_tests"],
    ["checks/a.js", "changes_tests"],
    ["package.json", "settings"],
    ["vendor/x/x.go", "dependency"],
    ["node_modules/x/index.js", "dependency"],
  ])("are refused: %s", (path, reason) => {
    expect(refusePaths(at(path), allowed)).toEqual([{ path, reason }]);
  });

  test("are let through where nothing speaks against them", () => {
    expect(refusePaths(at("src/a.js"), allowed)).toEqual([]);
    expect(refusePaths(at("src/a.js"), { ...allowed, editable: ["src"] })).toEqual([]);
  });

  test("are held to what a task names", () => {
    expect(refusePaths(at("srcs/a.js"), { ...allowed, editable: ["src"] })).toMatchObject([
      { reason: "not_editable" },
    ]);
  });
});

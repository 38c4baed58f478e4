import { join } from "node:path";
import { expect, test } from "vitest";
import { TRIAL_LIMITS_DEFAULT } from "../limits.ts";
import { temporaryFolder, writeProject } from "../testing/repair-in-memory.ts";
import { reproduce } from "./reproduce.ts";

/** Of eleven tests by chance, none wavers in three runs once in four million times. */
const TESTS = `import { test } from "node:test";
test("always red", () => { throw new Error("no"); });
for (let index = 0; index < 11; index += 1)
  test(\`now and then \${index}\`, () => { if (Math.random() < 0.5) throw new Error("chance"); });
`;

test("tests that do not say the same in three runs are told, and no others", async () => {
  const base = temporaryFolder();
  writeProject(join(base, "project"), { "package.json": '{"type":"module"}', "test/a.test.js": TESTS });
  const { first, wavering } = await reproduce({
    root: join(base, "project"),
    scratchDir: join(base, "scratch"),
    diff: null,
    allowed: { editable: [], tests: [] },
    before: null,
    limits: TRIAL_LIMITS_DEFAULT,
    signal: new AbortController().signal,
  });
  expect(first.verdict).toBe("red");
  expect(wavering.length).toBeGreaterThan(0);
  expect(wavering.every((name) => name.startsWith("test/a.test.js: now and then"))).toBe(true);
});

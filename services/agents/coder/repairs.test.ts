import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, describe } from "vitest";
import { openSetup, openTrial, repair, SAMPLES, SAMPLES_DIR, taskOf } from "./testing/repair.ts";
import { reproduce } from "./explorer/agent.ts";

function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (name.isFile()) hash.update(name.name).update(readFileSync(join(name.parentPath, name.name)));
  return hash.digest("hex");
}

test.each(SAMPLES)(
  "a sample checkout turns green in a scratch copy, and its fix is accepted: $id",
  async ({ input }) => {
    const before = digestOf(SAMPLES_DIR);
    const setup = openSetup();
    const result = await repair(input, {}, setup);
    expect(result).toMatchObject({ status: "accepted", tests: { failed: 0 }, still_red: [] });
    expect(result.diff).toContain("+++ b/src/");
    expect(digestOf(SAMPLES_DIR)).toBe(before);
    expect(readdirSync(setup.scratchDir())).toEqual([]);
  },
);

test("a second round reads what the first one tried", async () => {
  expect(await repair(taskOf("tariffs"))).toMatchObject({ rounds: 2, tries: 2 });
});

const TEST = {
  path: "test/more.test.js",
  text: `import assert from "node:assert/strict";
import { test } from "node:test";
import { initials } from "../src/initials.js";
test("takes a single word", () => assert.equal(initials("bo"), "B"));
`,
  shows: "A single word has its letter.",
};

/** Runs the sample whose suite is green with the bug, with these tests as the model's. */
const repairWith = (tests: readonly object[], open: string) =>
  repair(taskOf("initials"), { "explorer/tests": () => ({ tests, open }) });

describe("a bug that no test shows", () => {
  test("gets a test that is red before the fix and green after, which is told apart from the diff", async () => {
    const result = await repair(taskOf("initials"));
    expect(result).toMatchObject({
      status: "accepted",
      written_tests: [{ path: "test/of-report.test.js" }],
    });
    expect(result.diff).toContain("src/initials.js");
    expect(result.diff).not.toContain("of-report");
    expect(result.proof).toMatchObject({ repeats: 3, red_before: 2 });
    expect(result.steps.map(({ action, brought }) => [action, brought !== ""])).toEqual([
      ["reproduce", true],
      ["search", true],
      ["repair", true],
      ["verify", true],
    ]);
  });

  test.each([
    ["no test", []],
    ["a test that is green without a fix", [{ ...TEST, text: TEST.text.replace('"B"', '""') }]],
    ["a test that does not load", [{ ...TEST, text: "import './none.js';" }]],
    ["a test in the place of one that is there", [{ ...TEST, path: "test/initials.test.js" }]],
  ])("is told as 'cannot tell' with %s", async (_, tests) => {
    const result = await repairWith(tests, "");
    expect(result).toMatchObject({ status: "cannot_tell", diff: null, proof: null });
    expect(result.reasons[0]).toMatch(/tests are green/);
  });

  test("is accepted with one red test, and not where the model says that something else is asked for", async () => {
    expect(await repairWith([TEST], "")).toMatchObject({ status: "accepted", proof: { red_before: 1 } });
    const open = "countWords counts one too many, and no test shows it.";
    const result = await repairWith([TEST], open);
    expect(result.status).toBe("unproven");
    expect(result.reasons.join(" ")).toContain(open);
  });
});

/** Of eleven tests by chance, none wavers in three runs once in four million times. */
const TESTS = `import { test } from "node:test";
test("always red", () => { throw new Error("no"); });
for (let index = 0; index < 11; index += 1)
  test(\`now and then \${index}\`, () => { if (Math.random() < 0.5) throw new Error("chance"); });
`;

test("tests that do not say the same in three runs are told, and no others", async () => {
  const files = { "package.json": '{"type":"module"}', "test/a.test.js": TESTS };
  const { first, wavering } = await reproduce(openTrial(files));
  expect(first.verdict).toBe("red");
  expect(wavering.length).toBeGreaterThan(0);
  expect(wavering.every((name) => name.startsWith("test/a.test.js: now and then"))).toBe(true);
});

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  openRuntime,
  openSetup,
  repairInMemory,
  temporaryFolder,
  writeProject,
} from "./testing/repair-in-memory.ts";

const SOURCE = `export function initials(name) {
  const words = name.split(" ");
  let letters = "";
  for (let index = 0; index < words.length - 1; index++) letters += words[index][0].toUpperCase();
  return letters;
}
export const countWords = (name) => name.split(" ").length + 1;
`;
const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { initials } from "../src/initials.js";
test("gives text", () => assert.equal(typeof initials("a b"), "string"));
`;

function openProject(more: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const files = {
    "package.json": '{"type":"module"}',
    "src/initials.js": SOURCE,
    "test/initials.test.js": TEST,
  };
  writeProject(join(folder, "names"), { ...files, ...more });
  return openRuntime(openSetup(folder));
}

const REPORT =
  'initials("ada king lovelace") should return "AKL", but gives "AK". And initials("bo") should return "B".';

describe("a bug that no test shows", () => {
  test("gets a test that is red before the fix and green after, which is told apart from the diff", async () => {
    const { result } = await repairInMemory(openProject(), { checkout: "names", issue: REPORT });
    expect(result).toMatchObject({
      status: "accepted",
      written_tests: [{ path: "test/of-report.test.mjs" }],
    });
    expect(result.written_tests[0]?.text).toContain('initials("ada king lovelace")');
    expect(result.diff).toContain("src/initials.js");
    expect(result.diff).not.toContain("of-report");
    expect(result.proof).toMatchObject({ repeats: 3, coverage: { lines: 1, ran: 1 } });
    expect(result.steps.map(({ action, brought }) => [action, brought !== ""])).toEqual([
      ["reproduce", true],
      ["search", true],
      ["repair", true],
      ["verify", true],
    ]);
  }, 120_000);

  test.each([
    ["says nothing that can be tested", "The initials are wrong again. Please fix!!"],
    ["wants what is there", 'initials("a b") returns "A" and should return "A".'],
    ["gives an example that is green already", 'initials("a b") should return "A".'],
  ])(
    "is told as 'cannot tell' where the report %s",
    async (_, issue) => {
      const { result } = await repairInMemory(openProject(), { checkout: "names", issue });
      expect(result).toMatchObject({ status: "cannot_tell", diff: null, proof: null });
      expect(result.reasons[0]).toMatch(/tests are green/);
    },
    120_000,
  );

  test("is unproven with one example, which fits many fixes", async () => {
    const issue = 'initials("ada king lovelace") should return "AKL", but gives "AK".';
    const { result } = await repairInMemory(openProject(), { checkout: "names", issue });
    expect(result).toMatchObject({ status: "unproven", tests: { failed: 0 }, proof: { witnesses: 1 } });
  }, 120_000);

  test("is not accepted with one of two things that a report asks for", async () => {
    const issue = `${REPORT} And countWords counts one too many.`;
    const { result } = await repairInMemory(openProject(), { checkout: "names", issue });
    expect(result.status).toBe("unproven");
    expect(result.reasons.join(" ")).toMatch(/No red test names countWords/);
  }, 120_000);
});

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeDiff } from "../diff/write-diff.ts";
import { CHECKOUT_LIMITS_DEFAULT, PROOF_LIMITS_DEFAULT, TRIAL_LIMITS_DEFAULT } from "../limits.ts";
import { temporaryFolder, writeProject } from "../testing/repair-in-memory.ts";
import type { Trial } from "../trial/try-diff.ts";
import { proveBest } from "../verifier/prove-best.ts";
import { judgeProof } from "./judge-proof.ts";
import type { FixProof } from "./proof.ts";

const WRONG = "export function price(total) {\n  if (total > 100) return total * 0.9;\n  return total;\n}\n";
const RIGHT = WRONG.replace("> 100", ">= 100");
const HEAD =
  'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { price } from "../src/price.js";\n';
const check = (name: string, body: string): string => `test("${name}", () => ${body});\n`;
const STRONG =
  HEAD +
  check("99", "assert.equal(price(99), 99)") +
  check("100", "assert.equal(price(100), 90)") +
  check("101", "assert.equal(price(101), 90.9)") +
  check("200", "assert.equal(price(200), 180)");
const WEAK = HEAD + check("100 is cheaper", "assert.ok(price(100) < 100)");

function openTrial(tests: string, more: Partial<Trial> = {}): Trial {
  const base = temporaryFolder();
  writeProject(join(base, "project"), {
    "package.json": '{"type":"module"}',
    "src/price.js": WRONG,
    "test/price.test.js": tests,
  });
  return {
    root: join(base, "project"),
    scratchDir: join(base, "scratch"),
    diff: null,
    allowed: { editable: [], tests: [], mayChangeTests: false },
    before: null,
    checkoutLimits: CHECKOUT_LIMITS_DEFAULT,
    limits: TRIAL_LIMITS_DEFAULT,
    signal: new AbortController().signal,
    ...more,
  };
}

const green = (...texts: readonly string[]) =>
  texts.map((text) => ({ diff: writeDiff("src/price.js", WRONG, text), passed: 1 }));
const NOTHING = { held_out: [], doubts: [] };

describe("a green fix", () => {
  test("is accepted where every mutant of its lines is killed, with the counts", async () => {
    const { judgement, proof } = await proveBest(green(RIGHT), NOTHING, openTrial(STRONG));
    expect(judgement.status).toBe("accepted");
    expect(proof.mutants.killed).toBe(proof.mutants.tried);
    expect(proof.mutants.killed).toBeGreaterThan(4);
    expect(proof).toMatchObject({
      repeats: 3,
      failed_repeats: 0,
      survivors: [],
      coverage: { lines: 1, ran: 1 },
    });
  }, 120_000);

  test.each([
    ["right, in a suite that would not notice another one", RIGHT, /No test notices/],
    [
      "wrong, in a suite that does not notice",
      WRONG.replace("return total;", "return total - 1;"),
      /No test notices/,
    ],
    [
      "a special case for the test",
      WRONG.replace("{\n", "{\n  if (total === 100) return 99;\n"),
      /takes values over from the tests: .*|No test notices/,
    ],
  ])(
    "is unproven where it is %s",
    async (_, text, why) => {
      const { judgement } = await proveBest(green(text), NOTHING, openTrial(WEAK));
      expect(judgement.status).toBe("unproven");
      expect(judgement.reasons.join(" ")).toMatch(why);
    },
    120_000,
  );

  test("is unproven where it writes every example of a good suite into the code", async () => {
    const examples = "  if (total === 100) return 90;\n  if (total === 101) return 90.9;\n";
    const text = WRONG.replace("{\n", `{\n${examples}`);
    const { judgement, proof } = await proveBest(green(text), NOTHING, openTrial(STRONG));
    expect(judgement.status).toBe("unproven");
    expect(proof.borrowed).toEqual(expect.arrayContaining(["90", "101", "90.9"]));
  }, 120_000);

  test("is unproven where another one, in another place, is green as well", async () => {
    const other = WRONG.replace("return total;", "return total * 0.5;");
    const { judgement, proof } = await proveBest(green(RIGHT, other), NOTHING, openTrial(WEAK));
    expect(proof.rivals).toBe(1);
    expect(judgement).toMatchObject({
      status: "unproven",
      reasons: expect.arrayContaining([expect.stringMatching(/other fixes/)]),
    });
  }, 120_000);

  test.each([
    ["one example is all there is", 1, /one example fits many fixes/],
    [
      "a small change elsewhere would do as well",
      2,
      /Without the fix `.*>= 100.*` in src\/price.js:2 turns every/,
    ],
  ])(
    "is unproven where %s",
    async (_, times, why) => {
      const tests = check("100", "assert.equal(price(100), 90)").repeat(times).replace("100", "again");
      const fix = green(WRONG.replace("return total;", "return total * 0.9;"));
      const { judgement, proof } = await proveBest(fix, NOTHING, openTrial(HEAD + tests));
      expect(proof).toMatchObject({ witnesses: times, survivors: [] });
      expect(judgement.status).toBe("unproven");
      expect(judgement.reasons[0]).toMatch(why);
    },
    120_000,
  );

  test("gives way to the one that held-out tests agree with, and is unproven where they stay red", async () => {
    const other = WRONG.replace("return total;", "return total - 1;");
    const text = HEAD + check("100", "assert.equal(price(100), 90)");
    const held_out = [{ path: "test/second.test.js", text }];
    const best = await proveBest(green(other, RIGHT), { held_out, doubts: [] }, openTrial(WEAK));
    expect(best.diff).toContain(">= 100");
    expect(best.proof).toMatchObject({ second_test: "green", rivals: 0 });
    const left = await proveBest(green(other), { held_out, doubts: [] }, openTrial(WEAK));
    expect(left.judgement).toMatchObject({ status: "unproven" });
    expect(left.judgement.reasons.join(" ")).toMatch(/stays red/);
  }, 120_000);

  test("is unproven where the suite wavers", async () => {
    // Red in every run: the trial that was green before is not made again here.
    const wavering = `${STRONG}${check("now and then", "assert.ok(performance.now() < 0)")}`;
    const { judgement, proof } = await proveBest(green(RIGHT), NOTHING, openTrial(wavering));
    expect(proof.failed_repeats).toBe(2);
    expect(judgement.reasons[0]).toMatch(/wavers/);
  }, 120_000);
});

const PROOF: FixProof = {
  repeats: 3,
  failed_repeats: 0,
  mutants: { tried: 6, killed: 4, undecided: 0 },
  survivors: [{ path: "a.js", line: 1, mutated: "x" }],
  second_test: "green",
  rivals: 0,
  alternative: null,
  alternatives_tried: 0,
  witnesses: 2,
  borrowed: [],
  coverage: null,
};

const judge = (proof: FixProof, known: string[]) => judgeProof(proof, known, PROOF_LIMITS_DEFAULT);

describe("the judgement", () => {
  test("takes a second test for enough where most mutants are killed", () => {
    expect(judge(PROOF, []).status).toBe("accepted");
    expect(judge({ ...PROOF, mutants: { tried: 6, killed: 3, undecided: 0 } }, []).status).toBe("unproven");
    expect(judge({ ...PROOF, second_test: "none" }, []).status).toBe("unproven");
  });

  test.each<[string, Partial<FixProof>, string[]]>([
    ["a doubt from before", {}, ["It wavered."]],
    ["lines that no test runs", { coverage: { lines: 2, ran: 1 } }, []],
    ["values of the tests", { borrowed: ["90"] }, []],
    ["a rival", { rivals: 1 }, []],
    ["a change elsewhere", { alternative: { path: "a.js", line: 2, mutated: "y" } }, []],
    ["a single example", { witnesses: 1 }, []],
    ["no mutant that could be judged", { mutants: { tried: 3, killed: 0, undecided: 3 }, survivors: [] }, []],
  ])("leaves a fix unproven for %s", (_, change, known) => {
    const { status, reasons } = judge({ ...PROOF, ...change }, known);
    expect(status).toBe("unproven");
    expect(reasons.length).toBeGreaterThan(2);
  });
});

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkPayload } from "#shared/contract";
import { createTestSystem, temporaryFolder } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import coderTeam, { createCoderTeam } from "./team.ts";
import { openRehearsal } from "../../../tests/support/rehearsal-model.ts";
import { PatchOrder, TrialOrder } from "./contracts.ts";
import { PROOF_LIMITS_DEFAULT } from "./proof/prove-fix.ts";
import { openSetup, SAMPLES_DIR, taskOf, writeProject } from "./testing/repair-in-memory.ts";
import type { CoderSetup } from "./setup.ts";

/** The proof has tests of its own. */
const SHORT_PROOF = { ...PROOF_LIMITS_DEFAULT, repeats: 2, mutantsMax: 2 };
const RUN = { hopsMax: 24, ttlMs: 600_000 };

async function openTeam(setup: CoderSetup, faultRate = 0): Promise<TestSystem> {
  const team = createCoderTeam({ ...setup, proofLimits: SHORT_PROOF });
  const system = createTestSystem(team);
  await system.start({ model: (await openRehearsal(team, faultRate)).model, lockMs: 5000 });
  return system;
}

function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (name.isFile()) hash.update(name.name).update(readFileSync(join(name.parentPath, name.name)));
  return hash.digest("hex");
}

describe("the coder team", () => {
  test("loads without configuration and goes round between patcher and verifier alone", () => {
    expect(coderTeam.entry.name).toBe("planner");
    expect(coderTeam.edges.map(({ from, to, loop }) => `${from}>${to}${loop ? " again" : ""}`)).toEqual([
      "planner>explorer",
      "explorer>patcher",
      "patcher>verifier again",
      "verifier>patcher again",
    ]);
  });

  test("takes orders of the version before, and leaves out what they say besides", () => {
    const step = { id: 1, action: "verify", aim: "Try." };
    const failing = { file: "a.test.js", name: "adds", kind: "assertion", line: 1, message: "1 !== 2" };
    const values = {
      expected: "2",
      actual: "1",
      frames: [{ path: "a.js", line: 1, column: 2, symbol: "f" }],
    };
    const files = [{ file: "a.test.js", tests: 1, failed: 1 }];
    const before = { passed: 0, failed: 1, unloaded: 0, files, failing: [{ ...failing, ...values }] };
    const tried = { round: 1, digest: "0123456789abcdef", shown: "", verdict: "red", told: "", failed: 1 };
    const order = {
      task: { checkout: "adder", issue: "It takes away." },
      plan: { goal: "Add.", search_terms: [], steps: [step] },
      round: 1,
      cause: "A sign.",
      before,
      written: [],
      held_out: [],
      doubts: [],
      best: null,
      suspects: [{ path: "a.js", line: 1, because: "It is there." }],
      attempts: [{ ...tried, has_moved: true }],
    };
    const lifted = coderTeam.contracts.upcast("coder.patch-order@2", PatchOrder, order);
    expect(checkPayload(PatchOrder, lifted)).toMatchObject({
      before: { failing: [{ name: "adds", frames: [{ path: "a.js", line: 1 }] }] },
      attempts: [tried],
    });
    const fixes = [{ title: "Add", diff: "--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-a\n+b\n" }];
    const trial = coderTeam.contracts.upcast("coder.trial-order@2", TrialOrder, { ...order, fixes });
    expect(checkPayload(TrialOrder, trial)).toMatchObject({ fixes });
  });

  test("turns a red test suite green in a scratch copy and gives the diff", async () => {
    const before = digestOf(SAMPLES_DIR);
    const setup = openSetup();
    const system = await openTeam(setup);
    const run = await system.run(taskOf("feeds"), RUN);
    expect(run).toMatchObject({
      status: "completed",
      result: { status: "accepted", tests: { failed: 0 }, still_red: [] },
    });
    expect(JSON.stringify(run.result)).toContain("+++ b/src/reader.js");
    expect(digestOf(SAMPLES_DIR)).toBe(before);
    expect(readdirSync(setup.scratchDir())).toEqual([]);
  });

  test("stops at its bound when it cannot, and says what is still red", async () => {
    const system = await openTeam(openSetup());
    const run = await system.run({ ...taskOf("tariffs"), rounds_max: 1 }, RUN);
    expect(run).toMatchObject({ status: "completed", result: { status: "not_fixed", rounds: 1 } });
    expect(JSON.stringify(run.result)).toContain("units above a step cost what the next one says");
  });

  test("gets through answers that are damaged on the way", async () => {
    const system = await openTeam(openSetup(), 0.5);
    const run = await system.run(taskOf("adder"), RUN, ["completed", "in_ward", "quarantined", "failed"]);
    expect(["completed", "in_ward", "quarantined"]).toContain(run.status);
    if (run.status === "completed") expect(run.result).toMatchObject({ tests: { failed: 0 } });
  });

  test("cannot tell where everything is green and the report says nothing, and rejects a checkout that is not there", async () => {
    const system = await openTeam(openSetup(greenAdder()));
    expect(await system.run({ checkout: "adder", issue: "Is it right?" }, RUN)).toMatchObject({
      result: {
        status: "cannot_tell",
        diff: null,
        reasons: [expect.stringMatching(/No model is set/)],
      },
    });
    const gone = await system.submit({ checkout: "../adder/../..", issue: "Out!" }, RUN);
    expect(await system.until(gone.runId, ["in_ward", "quarantined"])).toBeDefined();
    const none = await system.submit({ checkout: "none", issue: "Where?" }, RUN);
    expect(await system.until(none.runId, ["in_ward", "quarantined"])).toBeDefined();
  });
});

function greenAdder(): string {
  const folder = temporaryFolder();
  writeProject(join(folder, "adder"), {
    "package.json": '{"type":"module"}',
    "src/add.js": "export const add = (a, b) => a + b;\n",
    "test/add.test.js":
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { add } from "../src/add.js";\ntest("adds", () => assert.equal(add(1, 2), 3));\n',
  });
  return folder;
}

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestSystem, temporaryFolder } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { createCoderTeam } from "./team.ts";
import { openRehearsal } from "../../../tests/support/rehearsal-model.ts";
import { openSetup, SAMPLES_DIR, taskOf, writeProject } from "./testing/repair-in-memory.ts";
import type { CoderSetup } from "./setup.ts";

const RUN = { hopsMax: 24, ttlMs: 600_000 };

async function openTeam(setup: CoderSetup, faultRate = 0): Promise<TestSystem> {
  const team = createCoderTeam(setup);
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

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestSystem, openStandIns, temporaryFolder } from "#shared/testing";
import { createCoderTeam } from "./team.ts";
import { openRehearsal } from "../../../tests/support/rehearsal-model.ts";
import { openSetup, repair, taskOf, writeProject } from "./testing/repair.ts";

describe("the coder team", () => {
  test("stops at its bound when it cannot, and says what is still red", async () => {
    const result = await repair({ ...taskOf("tariffs"), rounds_max: 1 });
    expect(result).toMatchObject({ status: "not_fixed", rounds: 1 });
    expect(JSON.stringify(result)).toContain("units above a step cost what the next one says");
  });

  test("gets through answers that are damaged on the way", async () => {
    const team = createCoderTeam(openSetup());
    const system = await startTestSystem(team, {
      model: (await openRehearsal(team, 0.5)).model,
      lockMs: 5000,
    });
    const message = { hopsMax: 24, ttlMs: 600_000 };
    const run = await system.run(taskOf("adder"), message, ["completed", "in_ward", "quarantined", "failed"]);
    expect(["completed", "in_ward", "quarantined"]).toContain(run.status);
    if (run.status === "completed") expect(run.result).toMatchObject({ tests: { failed: 0 } });
  });

  test("cannot tell where everything is green and the report says nothing, and rejects a checkout that is not there", async () => {
    const { run } = await openStandIns(createCoderTeam(openSetup(greenAdder())));
    const { result } = await run({ checkout: "adder", issue: "Is it right?" });
    const reasons = [expect.stringMatching(/No model is set/)];
    expect(result).toMatchObject({ status: "cannot_tell", diff: null, reasons });
    for (const checkout of ["../adder/../..", "none"])
      expect((await run({ checkout, issue: "Where?" })).status).toMatch(/ward|quarantined/);
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

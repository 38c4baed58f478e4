import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openRuntime, openSetup, repairInMemory } from "./testing/repair-in-memory.ts";

interface Sample {
  readonly id: string;
  readonly input: { readonly checkout: string; readonly rounds_max?: number };
}

const SAMPLES = readFileSync(new URL("samples/tasks.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): Sample => JSON.parse(line));

const HOPELESS = "tariffs";

describe("the sample checkouts", () => {
  test.each(SAMPLES.filter(({ id }) => id !== HOPELESS))(
    "turn green in a scratch copy: $id",
    async ({ id, input }) => {
      const { result } = await repairInMemory(openRuntime(openSetup()), input);
      process.stdout.write(
        `${id}: ${result.status}, ${result.rounds} rounds, ${result.tries} tries\n${result.diff ?? ""}\n`,
      );
      expect(["accepted", "unproven"]).toContain(result.status);
      expect(result).toMatchObject({ tests: { failed: 0 }, still_red: [] });
    },
    120_000,
  );

  test("stop at their bound where no small change helps, and say what is still red", async () => {
    const sample = SAMPLES.find(({ id }) => id === HOPELESS);
    const { result } = await repairInMemory(openRuntime(openSetup()), sample?.input ?? {});
    expect(result).toMatchObject({ status: "not_fixed", rounds: sample?.input.rounds_max });
    expect(result.still_red.map(({ name }) => name)).toContain(
      "units above a step cost what the next one says",
    );
  }, 120_000);
});

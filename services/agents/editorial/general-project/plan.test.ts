import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkPayload } from "#shared/contract";
import { readQuantities } from "../reading/read-quantities.ts";
import { PlanAnswer } from "./answer.ts";
import { findUngrounded } from "./find-ungrounded.ts";
import { planProject } from "../rehearsal/general-project.ts";

describe("a plan", () => {
  test("of every sample project that the rehearsal has recorded is one that its contract takes", () => {
    const samples = readFileSync(new URL("../samples/tasks.jsonl", import.meta.url), "utf8")
      .trim()
      .split("\n");
    const projects = samples
      .map((line) => JSON.parse(line).input.work)
      .filter(({ kind }) => kind === "project");
    expect(projects.length).toBeGreaterThan(3);
    for (const { title, brief } of projects) {
      // The stand-in takes the input of its own step; the random numbers are not used.
      const plan = checkPayload(
        PlanAnswer,
        planProject({ title, brief, constraints: [] } as never, () => 0),
      );
      expect(plan.requirements.flatMap((one) => findUngrounded(one, brief))).toEqual([]);
    }
  });

  test("made up in part is found out", () => {
    const led = {
      kind: "led",
      id: "led-1",
      supply_volts: 5,
      forward_volts: 2,
      current_milliamps: 20,
    } as const;
    expect(findUngrounded(led, "It runs on 5 V. The LED drops 2 V.")).toEqual(["current_milliamps"]);
    expect(findUngrounded(led, "It runs on 5000 mV. The LED drops 2,0 V at 0.02 A.")).toEqual([]);
  });
});

test("quantities are read as people write them", () => {
  const read = (text: string) => readQuantities(text).map(({ value, unit }) => `${value} ${unit}`);
  expect(read("3,3 V, 20mA, 60 µA, 2.6 Ah, 1 kHz, 5 % and 3 weeks")).toEqual([
    "3.3 V",
    "0.02 A",
    "0.00006 A",
    "2.6 Ah",
    "1000 Hz",
    "5 %",
    "504 h",
  ]);
  expect(read("version 2.5 of model 12 has 4 legs")).toEqual([]);
});

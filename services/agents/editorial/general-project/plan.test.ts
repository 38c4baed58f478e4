import { describe, expect, test } from "vitest";
import { checkPayload } from "#shared/contract";
import { readQuantities } from "../reading/read-quantities.ts";
import { PlanAnswer } from "./answer.ts";
import { findUngrounded } from "./find-ungrounded.ts";
import { planProject } from "../rehearsal/general-project.ts";

// The stand-in takes the input of its own step; the random numbers are not used.
const plan = (brief: string) =>
  checkPayload(
    PlanAnswer,
    planProject({ title: "A thing", brief, constraints: [] } as never, () => 0),
  );

describe("a plan", () => {
  test("brings units to those of its fields", () => {
    const { requirements, questions } = plan("It runs on 3300 mV. A 1.8 V LED takes 0.005 A.");
    expect(questions).toEqual([]);
    expect(requirements).toEqual([
      { kind: "led", id: "led-1", supply_volts: 3.3, forward_volts: 1.8, current_milliamps: 5 },
    ]);
  });

  test.each([
    ["An LED with a forward voltage of 2 V at 10 mA.", "supply voltage"],
    ["It runs on 5 V. An LED lights at 10 mA.", "forward voltage"],
    ["It runs on 5 V. An LED with a forward voltage of 2 V lights.", "current"],
    ["A low-pass filter smooths the signal.", "cutoff frequency"],
    ["A battery feeds the sensor, which draws 3 mA for 10 % of the time, for two days.", "capacity"],
    ["A battery of 500 mAh feeds the lamp for 10 hours.", "draw"],
  ])("asks for what is missing: %s", (brief, missing) => {
    const { requirements, questions } = plan(brief);
    expect(requirements).toEqual([]);
    expect(questions.map(({ question }) => question).join(" ")).toContain(missing);
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

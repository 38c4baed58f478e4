import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPayload } from "#shared/contract";
import { checkDesign } from "../designs.ts";
import type { Requirement } from "../requirements.ts";
import { requirement } from "../requirements.ts";
import { DesignAnswer } from "./answer.ts";
import { E12, E24, isOfSeries, valuesBetween } from "./preferred-values.ts";
import { designCircuits } from "../rehearsal/electronics.ts";

type Answer = ReturnType<typeof DesignAnswer.schema.parse>;

// The stand-in takes the input of its own step; the random numbers are not used.
const design = (...requirements: Requirement[]) =>
  designCircuits({ requirements, constraints: [] } as never, () => 0) as Answer;

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const anyRequirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({
    kind: fc.constant("led" as const),
    id: fc.constant("led-1"),
    supply_volts: number(1, 48),
    forward_volts: number(1, 4),
    current_milliamps: number(0.1, 1000),
  }),
  fc.record({
    kind: fc.constant("divider" as const),
    id: fc.constant("d-1"),
    input_volts: number(1, 60),
    output_volts: number(0.5, 60),
    tolerance_percent: number(0.5, 10),
  }),
  fc.record({
    kind: fc.constant("low_pass" as const),
    id: fc.constant("f-1"),
    cutoff_hertz: number(0.1, 5_000_000),
  }),
  fc.record({
    kind: fc.constant("power_budget" as const),
    id: fc.constant("p-1"),
    battery_milliamp_hours: number(10, 100_000),
    loads: fc.array(
      fc.record({ name: fc.constant("x"), milliamps: number(0.01, 1000), duty_percent: number(0.1, 100) }),
      {
        minLength: 1,
        maxLength: 5,
      },
    ),
    hours_wanted: number(0.1, 10_000),
  }),
);

describe("designs", () => {
  test("of the stand-in pass the check for whatever is asked, or it asks back", () => {
    fc.assert(
      fc.property(anyRequirement, (one) => {
        const answer = design(requirement.parse(one));
        expect(answer.designs.length + answer.questions.length).toBe(1);
        expect(() => checkPayload(DesignAnswer, answer)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["a resistor that no shop has", { resistor_ohms: 301 }],
    ["too much current", { resistor_ohms: 270, current_milliamps: 10.7407, dissipated_milliwatts: 31.1481 }],
    ["a current that does not follow", { current_milliamps: 5 }],
    ["heat that does not follow", { dissipated_milliwatts: 5 }],
    ["a rating without margin", { rating_milliwatts: 30 }],
  ])("are refused with %s", (_, change) => {
    const led = {
      kind: "led",
      id: "led-1",
      supply_volts: 5,
      forward_volts: 2.1,
      current_milliamps: 10,
    } as const;
    const [right] = design(led).designs;
    if (right === undefined) throw new Error("no design");
    expect(checkDesign(right, "")).toEqual([]);
    expect(checkDesign({ ...right, ...change }, "").length).toBeGreaterThan(0);
  });

  test("ask back where physics says no", () => {
    const led = {
      kind: "led",
      id: "led-1",
      supply_volts: 3,
      forward_volts: 3.2,
      current_milliamps: 10,
    } as const;
    const divider = {
      kind: "divider",
      id: "d-1",
      input_volts: 3,
      output_volts: 5,
      tolerance_percent: 5,
    } as const;
    expect(design(led, divider)).toMatchObject({
      designs: [],
      questions: [{ about: "led-1" }, { about: "d-1" }],
    });
  });

  test("use values in which parts are made", () => {
    expect(valuesBetween(E12, { from: 1, to: 10 })).toEqual([...E12, 10]);
    for (const value of [300, 4700, 0.1, 91_000]) expect(isOfSeries(value, E24), String(value)).toBe(true);
    for (const value of [301, 4800, 0.95]) expect(isOfSeries(value, E24), String(value)).toBe(false);
  });
});

import { describe, expect, test } from "vitest";
import { checkDesign, design, isResistor, findImpossible } from "./designs.ts";

const LED = {
  kind: "led",
  requirement: { kind: "led", id: "led-1", supply_volts: 5, forward_volts: 2.1, current_milliamps: 10 },
  resistor_ohms: 300,
  current_milliamps: 9.66667,
  dissipated_milliwatts: 28.0333,
  rating_milliwatts: 62.5,
} as const;
const DIVIDER = {
  kind: "divider",
  requirement: { kind: "divider", id: "divider-1", input_volts: 12, output_volts: 3, tolerance_percent: 2 },
  upper_ohms: 30_000,
  lower_ohms: 10_000,
  output_volts: 3,
} as const;
const FILTER = {
  kind: "low_pass",
  requirement: { kind: "low_pass", id: "filter-1", cutoff_hertz: 50, capacitor_nanofarads: null },
  resistor_ohms: 68_000,
  capacitor_nanofarads: 47,
  cutoff_hertz: 49.7982,
} as const;
const POWER = {
  kind: "power_budget",
  requirement: {
    kind: "power_budget",
    id: "power-1",
    battery_milliamp_hours: 2600,
    loads: [{ name: "sensor", milliamps: 1.6, duty_percent: 100 }],
    hours_wanted: 720,
  },
  average_milliamps: 1.6,
  hours: 1300,
  is_enough: true,
} as const;

describe("designs", () => {
  test.each([
    LED,
    DIVIDER,
    FILTER,
    { ...POWER, requirement: { ...POWER.requirement, loads: [...POWER.requirement.loads] } },
  ])("that follow from their parts are taken: $kind", (one) => {
    expect(checkDesign(one, "")).toEqual([]);
  });

  test.each([
    ["a resistor that no shop has", { resistor_ohms: 303 }],
    ["too much current", { resistor_ohms: 270, current_milliamps: 10.7407, dissipated_milliwatts: 31.1481 }],
    ["a current that does not follow", { current_milliamps: 5 }],
    ["heat that does not follow", { dissipated_milliwatts: 5 }],
    ["a rating without margin", { rating_milliwatts: 30 }],
  ])("are refused with %s", (_, change) => {
    expect(checkDesign({ ...LED, ...change }, "").length).toBeGreaterThan(0);
  });

  test.each([
    ["a supply below the forward voltage", { ...LED, requirement: { ...LED.requirement, supply_volts: 2 } }],
    [
      "an output beyond the tolerance",
      { ...DIVIDER, requirement: { ...DIVIDER.requirement, output_volts: 4 } },
    ],
    ["resistors that give another output", { ...DIVIDER, output_volts: 4 }],
    [
      "a cutoff that is too far off",
      { ...FILTER, requirement: { ...FILTER.requirement, cutoff_hertz: 100 } },
    ],
    ["a capacitor that no shop has", { ...FILTER, capacitor_nanofarads: 48 }],
    [
      "another capacitor than the author's",
      { ...FILTER, requirement: { ...FILTER.requirement, capacitor_nanofarads: 22 } },
    ],
    ["hours that do not follow", { ...POWER, hours: 2000 }],
    ["a battery that is said to last too long", { ...POWER, is_enough: false }],
  ])("are refused with %s", (_, one) => {
    expect(checkDesign(design.parse(one), "").length).toBeGreaterThan(0);
  });

  test("use values in which parts are made", () => {
    for (const value of [300, 4700, 0.1, 91_000, 499, 10_200])
      expect(isResistor(value), `${value}`).toBe(true);
    for (const value of [303, 4800, 0.95]) expect(isResistor(value), `${value}`).toBe(false);
  });

  test("say why no parts can meet a requirement", () => {
    const led = LED.requirement;
    expect(findImpossible(led)).toBeNull();
    expect(findImpossible({ ...led, forward_volts: 6 })).toContain("no current flows");
    expect(findImpossible({ ...led, supply_volts: 48, current_milliamps: 500 })).toContain(
      "22.9 W into heat",
    );
    expect(findImpossible({ ...led, supply_volts: 230 })).toContain("more than 60 V");
    expect(findImpossible({ ...DIVIDER.requirement, output_volts: 15 })).toContain(
      "cannot make 15 V out of 12",
    );
  });
});

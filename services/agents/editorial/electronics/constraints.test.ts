import { describe, expect, test } from "vitest";
import { findBroken, readLimit } from "./constraints.ts";

const LED = {
  kind: "led",
  requirement: { kind: "led", id: "led-1", supply_volts: 24, forward_volts: 2, current_milliamps: 20 },
  resistor_ohms: 1100,
  current_milliamps: 20,
  dissipated_milliwatts: 440,
  rating_milliwatts: 1000,
} as const;

describe("a constraint in words", () => {
  test.each([
    ["only resistors of 1/8 W", 0.125, []],
    ["Widerstände bis ¼ W", 0.25, []],
    ["resistors of 250 mW", 0.25, []],
    ["the only resistors that we have are 1 kΩ and 470 ohm", null, [1000, 470]],
  ])("is read where it limits resistors: %s", (constraint, wattsMax, ohms) => {
    expect(readLimit(constraint)).toEqual({ constraint, wattsMax, ohms });
  });

  test.each(["parts for through-hole mounting", "resistors of metal film", "at most 12 euros"])(
    "is not read otherwise, and the result says so: %s",
    (constraint) => expect(readLimit(constraint)).toBeNull(),
  );

  test("is broken by a resistor that gets too hot or that is not there", () => {
    expect(findBroken(LED, ["small", "only resistors of 1/4 W"])).toBe("only resistors of 1/4 W");
    expect(findBroken(LED, ["only resistors of 1/2 W"])).toBeNull();
    expect(findBroken(LED, ["nur Widerstände von 1 kΩ"])).toBe("nur Widerstände von 1 kΩ");
    expect(findBroken(LED, ["only resistors of 1.1 kΩ"])).toBeNull();
  });
});

import { z } from "zod";
import type { Issue } from "#shared/errors";

const id = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);
const volts = z.number().positive().max(1000).meta({ "x-locked": true, "x-unit": "V" });
const milliamps = z.number().positive().max(100_000).meta({ "x-locked": true, "x-unit": "mA" });

const led = z.object({
  kind: z.literal("led"),
  id,
  supply_volts: volts,
  forward_volts: volts,
  /** Never to be exceeded. */
  current_milliamps: milliamps,
});

const divider = z.object({
  kind: z.literal("divider"),
  id,
  input_volts: volts,
  output_volts: volts,
  /** Tolerance of the output. */
  tolerance_percent: z.number().min(0.1).max(20).meta({ "x-locked": true, "x-unit": "%" }),
});

const lowPass = z.object({
  kind: z.literal("low_pass"),
  id,
  cutoff_hertz: z.number().positive().max(10_000_000).meta({ "x-locked": true, "x-unit": "Hz" }),
  /** Stated by the author, and then taken; null where any may be chosen. */
  capacitor_nanofarads: z
    .number()
    .positive()
    .max(1_000_000)
    .nullable()
    .default(null)
    .meta({ "x-locked": true, "x-unit": "nF" }),
});

const powerBudget = z.object({
  kind: z.literal("power_budget"),
  id,
  battery_milliamp_hours: z.number().positive().max(10_000_000).meta({ "x-locked": true, "x-unit": "mAh" }),
  loads: z
    .array(
      z.object({
        name: z.string().min(1).max(80),
        milliamps,
        duty_percent: z.number().positive().max(100).meta({ "x-locked": true, "x-unit": "%" }),
      }),
    )
    .min(1)
    .max(20),
  hours_wanted: z.number().positive().max(1_000_000).meta({ "x-locked": true, "x-unit": "h" }),
});

/** One circuit that a project needs, with every quantity that its design depends on. */
export const requirement = z.discriminatedUnion("kind", [led, divider, lowPass, powerBudget]);

export type Requirement = z.output<typeof requirement>;

/** Above this voltage, in V, no circuit is designed here: it is dangerous to touch. */
const VOLTS_MAX = 60;
const HEAT_WATTS_MAX = 5;

/** Returns why a requirement cannot be met by any parts, or not here; null where it can. Pure. */
export function findImpossible(asked: Requirement): string | null {
  if (asked.kind === "led") {
    const { supply_volts: supply, forward_volts: forward, current_milliamps: current } = asked;
    if (supply > VOLTS_MAX) return `nothing is designed here for more than ${VOLTS_MAX} V`;
    if (forward >= supply)
      return `the supply of ${supply} V is not above the forward voltage of ${forward} V, so that no current flows`;
    const heat = ((supply - forward) * current) / 1000;
    return heat > HEAT_WATTS_MAX
      ? `its resistor would turn ${Number(heat.toPrecision(3))} W into heat, more than ${HEAT_WATTS_MAX} W`
      : null;
  }
  if (asked.kind !== "divider") return null;
  const { input_volts: input, output_volts: output } = asked;
  if (input > VOLTS_MAX) return `nothing is designed here for more than ${VOLTS_MAX} V`;
  return output >= input ? `a divider cannot make ${output} V out of ${input} V` : null;
}

const ohms = z.number().positive().max(100_000_000).meta({ "x-locked": true, "x-unit": "Ω" });
const milliwatts = z.number().positive().max(1_000_000).meta({ "x-locked": true, "x-unit": "mW" });

const ledDesign = z.object({
  kind: z.literal("led"),
  requirement: led,
  resistor_ohms: ohms,
  current_milliamps: z.number().positive().meta({ "x-locked": true, "x-unit": "mA" }),
  dissipated_milliwatts: milliwatts,
  rating_milliwatts: milliwatts,
});

const dividerDesign = z.object({
  kind: z.literal("divider"),
  requirement: divider,
  upper_ohms: ohms,
  lower_ohms: ohms,
  output_volts: z.number().positive().meta({ "x-locked": true, "x-unit": "V" }),
});

const lowPassDesign = z.object({
  kind: z.literal("low_pass"),
  requirement: lowPass,
  resistor_ohms: ohms,
  capacitor_nanofarads: z.number().positive().max(1_000_000).meta({ "x-locked": true, "x-unit": "nF" }),
  cutoff_hertz: z.number().positive().meta({ "x-locked": true, "x-unit": "Hz" }),
});

const powerDesign = z.object({
  kind: z.literal("power_budget"),
  requirement: powerBudget,
  average_milliamps: z.number().positive().meta({ "x-locked": true, "x-unit": "mA" }),
  hours: z.number().positive().meta({ "x-locked": true, "x-unit": "h" }),
  is_enough: z.boolean().meta({ "x-locked": true }),
});

/** One circuit, with what it was asked for beside what was chosen and what follows from that. */
export const design = z.discriminatedUnion("kind", [ledDesign, dividerDesign, lowPassDesign, powerDesign]);

type Design = z.output<typeof design>;

/** Share of a battery that is counted on: age and cold take the rest. */
const USABLE_SHARE = 0.8;
/** A resistor is rated for at least so many times what it turns into heat. */
const RATING_MARGIN = 2;
/** An LED gets at least this share of the current asked for, and never more than all of it. */
const LED_SHARE_MIN = 0.7;
/** Tolerance of a filter's cutoff. */
const CUTOFF_TOLERANCE = 0.1;
/** Tolerance of a stated number against what follows from the parts: rounding, no more. */
const ROUNDING = 0.01;

/** A demand on a design: its field, whether it is kept, and what is wrong where it is not. */
type Demand = readonly [field: string, isKept: boolean, message: string];

/** Checks a design against physics and against its requirement. */
export function checkDesign(one: Design, path: string): Issue[] {
  return demandsOn(one)
    .filter(([, isKept]) => !isKept)
    .map(([field, , message]) => ({ path: `${path}/${field}`, code: "wrong_design", message }));
}

function demandsOn(one: Design): readonly Demand[] {
  switch (one.kind) {
    case "led":
      return demandsOnLed(one);
    case "divider":
      return demandsOnDivider(one);
    case "low_pass":
      return demandsOnLowPass(one);
    case "power_budget":
      return demandsOnPower(one);
  }
}

const isClose = (stated: number, right: number): boolean =>
  Math.abs(stated - right) <= Math.abs(right) * ROUNDING;

const NO_RESISTOR = "is no value of the series E24 or E96";

function demandsOnLed(one: z.output<typeof ledDesign>): readonly Demand[] {
  const { supply_volts, forward_volts, current_milliamps: wanted } = one.requirement;
  const across = supply_volts - forward_volts;
  if (across <= 0) return [["requirement", false, "the supply is not above the LED's forward voltage"]];
  const { resistor_ohms: resistor, rating_milliwatts: rating } = one;
  const current = (across / resistor) * 1000;
  const heat = across * current;
  const follows = "does not follow from the resistor";
  return [
    ["resistor_ohms", isResistor(resistor), NO_RESISTOR],
    ["current_milliamps", isClose(one.current_milliamps, current), follows],
    ["resistor_ohms", current <= wanted * (1 + 1e-9), "lets more current through than is allowed"],
    ["resistor_ohms", current >= wanted * LED_SHARE_MIN, "lets too little current through"],
    ["dissipated_milliwatts", isClose(one.dissipated_milliwatts, heat), follows],
    ["rating_milliwatts", rating >= heat * RATING_MARGIN, "leaves too little margin"],
  ];
}

function demandsOnDivider(one: z.output<typeof dividerDesign>): readonly Demand[] {
  const { input_volts, output_volts: wanted, tolerance_percent } = one.requirement;
  const output = (input_volts * one.lower_ohms) / (one.upper_ohms + one.lower_ohms);
  const isNear = Math.abs(output - wanted) <= (wanted * tolerance_percent) / 100;
  return [
    ["upper_ohms", isResistor(one.upper_ohms) && isResistor(one.lower_ohms), NO_RESISTOR],
    ["output_volts", isClose(one.output_volts, output), "does not follow from the resistors"],
    ["output_volts", isNear, "is further off than the tolerance allows"],
  ];
}

function demandsOnLowPass(one: z.output<typeof lowPassDesign>): readonly Demand[] {
  const { resistor_ohms: resistor, capacitor_nanofarads: capacitor } = one;
  const { cutoff_hertz: wanted, capacitor_nanofarads: stated } = one.requirement;
  const cutoff = 1 / (2 * Math.PI * resistor * capacitor * 1e-9);
  return [
    ["resistor_ohms", isResistor(resistor), NO_RESISTOR],
    stated === null
      ? ["capacitor_nanofarads", isOfSeries(capacitor, E12), "is no value of the E12 series"]
      : ["capacitor_nanofarads", isClose(capacitor, stated), "is not the capacitor that the author states"],
    ["cutoff_hertz", isClose(one.cutoff_hertz, cutoff), "does not follow from the parts"],
    ["cutoff_hertz", Math.abs(cutoff - wanted) <= wanted * CUTOFF_TOLERANCE, "is too far off"],
  ];
}

function demandsOnPower(one: z.output<typeof powerDesign>): readonly Demand[] {
  const { battery_milliamp_hours, loads, hours_wanted } = one.requirement;
  const average = loads.reduce((sum, load) => sum + (load.milliamps * load.duty_percent) / 100, 0);
  const hours = (battery_milliamp_hours * USABLE_SHARE) / average;
  return [
    ["average_milliamps", isClose(one.average_milliamps, average), "is not the loads' average"],
    ["hours", isClose(one.hours, hours), "does not follow from the battery and the loads"],
    ["is_enough", one.is_enough === hours >= hours_wanted, "says otherwise than the hours do"],
  ];
}

/** Values in which parts are made, for one decade. */
const E12: readonly number[] = [1, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2];
const E24: readonly number[] = [
  1, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2, 2.2, 2.4, 2.7, 3, 3.3, 3.6, 3.9, 4.3, 4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2,
  9.1,
];

/** The series E96 of resistors of one per cent: three digits of equal ratios. */
const E96: readonly number[] = Array.from(
  { length: 96 },
  (_, step) => Math.round(100 * 10 ** (step / 96)) / 100,
);

/** Returns true for a value in which resistors are made. */
export function isResistor(value: number): boolean {
  return isOfSeries(value, E24) || isOfSeries(value, E96);
}

function isOfSeries(value: number, series: readonly number[]): boolean {
  const decade = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return series.some(
    (one) => Math.abs(value / decade - one) < 1e-6 || Math.abs(value / decade - one * 10) < 1e-6,
  );
}

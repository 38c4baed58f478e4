import { z } from "zod";

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

export const REQUIREMENT_SCHEMAS = { led, divider, lowPass, powerBudget } as const;

/** Above this voltage, in V, no circuit is designed here: it is dangerous to touch. */
const VOLTS_MAX = 60;
/** Heat in W that one resistor may be asked to take. */
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

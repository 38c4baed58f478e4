import type { StandIn } from "#shared/runtime";
import { LED_SHARE_MIN, RATING_MARGIN, USABLE_SHARE } from "../designs.ts";
import type { Design } from "../designs.ts";
import type { Requirement } from "../requirements.ts";
import type { DesignInput } from "../electronics/answer.ts";
import { E12, E24, valuesBetween } from "../electronics/preferred-values.ts";

type Of<Kind extends Requirement["kind"]> = Extract<Requirement, { kind: Kind }>;

/** Ratings in which small resistors are made, in mW. */
const RATINGS = [62.5, 125, 250, 500, 1000, 2000, 5000, 10_000];

/** A design, or why there is none. */
type Outcome = Design | { readonly question: string };

/** Designs by the formulas of each circuit, over the values in which parts are made. */
export const designCircuits: StandIn = ({ requirements }: DesignInput) => {
  const outcomes = requirements.map((one) => ({ id: one.id, outcome: designOne(one) }));
  return {
    designs: outcomes.flatMap(({ outcome }) => ("question" in outcome ? [] : [outcome])),
    questions: outcomes.flatMap(({ id, outcome }) =>
      "question" in outcome ? [{ about: id, question: outcome.question }] : [],
    ),
  };
};

function designOne(one: Requirement): Outcome {
  switch (one.kind) {
    case "led":
      return designLed(one);
    case "divider":
      return designDivider(one);
    case "low_pass":
      return designFilter(one);
    case "power_budget":
      return designBudget(one);
  }
}

const round = (value: number): number => Number(value.toPrecision(6));

function designLed(one: Of<"led">): Outcome {
  const across = one.supply_volts - one.forward_volts;
  if (across <= 0)
    return {
      question: `The supply of ${one.supply_volts} V is not above the LED's ${one.forward_volts} V: which supply drives it?`,
    };
  const least = (across / one.current_milliamps) * 1000;
  const [resistor] = valuesBetween(E24, { from: Math.max(0.1, least), to: (least / LED_SHARE_MIN) * 1.01 });
  if (resistor === undefined)
    return { question: "No standard resistor gives this current: may it differ more?" };
  const current = (across / resistor) * 1000;
  const heat = across * current;
  const rating = RATINGS.find((value) => value >= heat * RATING_MARGIN);
  if (rating === undefined)
    return { question: `The resistor would give off ${Math.round(heat)} mW: may a driver take its place?` };
  return {
    kind: "led",
    requirement: one,
    resistor_ohms: resistor,
    current_milliamps: round(current),
    dissipated_milliwatts: round(heat),
    rating_milliwatts: rating,
  };
}

function designDivider(one: Of<"divider">): Outcome {
  const { input_volts: input, output_volts: wanted, tolerance_percent: tolerance } = one;
  if (wanted >= input)
    return { question: `A divider cannot give ${wanted} V from ${input} V: should the voltage be raised?` };
  const values = valuesBetween(E24, { from: 1000, to: 1_000_000 });
  const pairs = values.flatMap((lower) => {
    const exact = lower * (input / wanted - 1);
    return values
      .filter(
        (upper) =>
          Math.abs(upper - exact) < exact * 0.06 && upper + lower >= 10_000 && upper + lower <= 1_000_000,
      )
      .map((upper) => ({ upper, lower, output: (input * lower) / (upper + lower) }));
  });
  const best = pairs.toSorted(
    (a, b) => Math.abs(a.output - wanted) - Math.abs(b.output - wanted) || a.lower - b.lower,
  )[0];
  if (best === undefined || Math.abs(best.output - wanted) > (wanted * tolerance) / 100)
    return { question: `No pair of standard resistors comes within ${tolerance} %: may it be off further?` };
  return {
    kind: "divider",
    requirement: one,
    upper_ohms: best.upper,
    lower_ohms: best.lower,
    output_volts: round(best.output),
  };
}

function designFilter(one: Of<"low_pass">): Outcome {
  const { cutoff_hertz: wanted, capacitor_nanofarads: stated } = one;
  const resistors = valuesBetween(E24, stated === null ? { from: 1000, to: 100_000 } : { from: 10, to: 1e7 });
  const capacitors = stated === null ? valuesBetween(E12, { from: 0.1, to: 10_000 }) : [stated];
  const pairs = capacitors.flatMap((capacitor) =>
    resistors.map((resistor) => ({
      resistor,
      capacitor,
      cutoff: 1 / (2 * Math.PI * resistor * capacitor * 1e-9),
    })),
  );
  const best = pairs.toSorted((a, b) => Math.abs(a.cutoff - wanted) - Math.abs(b.cutoff - wanted))[0];
  if (best === undefined || Math.abs(best.cutoff - wanted) > wanted * 0.1)
    return {
      question: `A single resistor and capacitor do not reach ${wanted} Hz: what may take their place?`,
    };
  return {
    kind: "low_pass",
    requirement: one,
    resistor_ohms: best.resistor,
    capacitor_nanofarads: best.capacitor,
    cutoff_hertz: round(best.cutoff),
  };
}

function designBudget(one: Of<"power_budget">): Outcome {
  const average = one.loads.reduce((sum, load) => sum + (load.milliamps * load.duty_percent) / 100, 0);
  const hours = (one.battery_milliamp_hours * USABLE_SHARE) / average;
  return {
    kind: "power_budget",
    requirement: one,
    average_milliamps: round(average),
    hours: round(hours),
    is_enough: hours >= one.hours_wanted,
  };
}

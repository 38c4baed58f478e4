import { readSentences } from "../reading/paragraphs.ts";
import type { Requirement } from "../requirements.ts";

/** Above this voltage, in V, no circuit is designed here: it is dangerous to touch. */
export const VOLTS_MAX = 60;
/** Heat in W that one resistor may be asked to take. */
const HEAT_WATTS_MAX = 5;

/** Returns why a requirement cannot be met by any parts; null where it can. Pure. */
export function findImpossible(requirement: Requirement): string | null {
  if (requirement.kind === "led") {
    const { supply_volts: supply, forward_volts: forward, current_milliamps: current } = requirement;
    if (forward >= supply)
      return `the supply of ${supply} V is not above the forward voltage of ${forward} V, so that no current flows`;
    const heat = ((supply - forward) * current) / 1000;
    return heat > HEAT_WATTS_MAX
      ? `its resistor would turn ${Number(heat.toPrecision(3))} W into heat, more than ${HEAT_WATTS_MAX} W`
      : null;
  }
  if (requirement.kind !== "divider") return null;
  const { input_volts: input, output_volts: output } = requirement;
  return output >= input ? `a divider cannot make ${output} V out of ${input} V` : null;
}

const LED = /(?<!\p{L})leds?(?!\p{L})/iu;
/** LEDs that share a resistor: none of the known circuits. */
const CHAIN =
  /(?<!\p{L})(?:in series|series string|in parallel|side by side|(?:on|share|sharing) one resistor|in reihe|reihenschaltung|parallel|en serie|en paralelo|en série|en parallèle|in serie|in parallelo|parallelo)(?!\p{L})/iu;
const SEVERAL =
  /(?<!\p{L})(?:leds|(?:two|three|four|five|six|several|zwei|drei|vier|dos|tres|deux|trois|due|tre|twee|drie|[2-9]|\d{2,3}|[2-9] ?x) (?:\p{L}+ ){0,2}leds?)(?!\p{L})/iu;

/**
 * Returns the sentences of a brief about LEDs that no single LED with a resistor of its own can answer: chains, and
 * several LEDs where `planned` is one.
 */
export function findChains(brief: string, planned: number): string[] {
  if (planned === 0) return [];
  return readSentences(brief).filter(
    (sentence) => LED.test(sentence) && (CHAIN.test(sentence) || (planned === 1 && SEVERAL.test(sentence))),
  );
}

/** Returns true where a requirement is for a voltage that is dangerous to touch. */
export function isDangerous(requirement: Requirement): boolean {
  if (requirement.kind === "led") return requirement.supply_volts > VOLTS_MAX;
  return requirement.kind === "divider" && requirement.input_volts > VOLTS_MAX;
}

import type { Requirement } from "../requirements.ts";

/** Above this voltage, in V, no circuit is designed here: it is dangerous to touch. */
const VOLTS_MAX = 60;
/** Heat in W that one resistor may be asked to take. */
const HEAT_WATTS_MAX = 5;

/** Returns why a requirement cannot be met by any parts, or not here; null where it can. Pure. */
export function findImpossible(requirement: Requirement): string | null {
  if (requirement.kind === "led") {
    const { supply_volts: supply, forward_volts: forward, current_milliamps: current } = requirement;
    if (supply > VOLTS_MAX) return `nothing is designed here for more than ${VOLTS_MAX} V`;
    if (forward >= supply)
      return `the supply of ${supply} V is not above the forward voltage of ${forward} V, so that no current flows`;
    const heat = ((supply - forward) * current) / 1000;
    return heat > HEAT_WATTS_MAX
      ? `its resistor would turn ${Number(heat.toPrecision(3))} W into heat, more than ${HEAT_WATTS_MAX} W`
      : null;
  }
  if (requirement.kind !== "divider") return null;
  const { input_volts: input, output_volts: output } = requirement;
  if (input > VOLTS_MAX) return `nothing is designed here for more than ${VOLTS_MAX} V`;
  return output >= input ? `a divider cannot make ${output} V out of ${input} V` : null;
}

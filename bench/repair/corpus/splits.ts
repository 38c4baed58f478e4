import { CONTRACTS } from "./all-contracts.ts";
import { DAMAGES } from "./all-damages.ts";
import type { CorpusContract } from "./contract.ts";
import type { Damage } from "./damage.ts";
import { HELD_OUT_CONTRACTS, HELD_OUT_KINDS } from "./held-out.ts";

/** Parts of the corpus by kind of damage and by contract, never by seed. Only `development` may be looked at. */
export const SPLITS = ["development", "held_out_kinds", "held_out_contracts", "held_out_both"] as const;

export type Split = (typeof SPLITS)[number];

export const isHeldOutKind = ({ kind }: Damage): boolean => HELD_OUT_KINDS.has(kind.name);

export const isHeldOutContract = ({ name }: CorpusContract): boolean => HELD_OUT_CONTRACTS.has(name);

/** The kinds of damage that a split is about. A held-out kind may come together with any other. */
export function kindsOf(split: Split): {
  readonly about: readonly Damage[];
  readonly beside: readonly Damage[];
} {
  const known = DAMAGES.filter((damage) => !isHeldOutKind(damage));
  return split === "held_out_kinds" || split === "held_out_both"
    ? { about: DAMAGES.filter(isHeldOutKind), beside: DAMAGES }
    : { about: known, beside: known };
}

export function contractsOf(split: Split): readonly CorpusContract[] {
  const isHeldOut = split === "held_out_contracts" || split === "held_out_both";
  return CONTRACTS.filter((contract) => isHeldOutContract(contract) === isHeldOut);
}

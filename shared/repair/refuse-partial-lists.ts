import type { RefusalCode } from "./first-aid-result.ts";
import type { Treated } from "./choose.ts";

/** Refuses members without their opening brace where the first one, which the contract gives, seems lost with it. */
export function refuseLostBeginning(treated: Treated): Treated {
  const { reading, alignment } = treated;
  const isLost =
    alignment.ok &&
    reading.notes.some(({ step }) => step === "missing_brace") &&
    alignment.notes.some(({ step }) => step === "discriminator_filled");
  return isLost ? refuse(treated, "cut") : treated;
}

/**
 * Where a list is asked for: all values of the text in their order, if all fit, before a list of one of them; and no
 * list of one where another one, which does not fit, stands beside it.
 */
export function refusePartialLists(all: readonly Treated[]): readonly Treated[] {
  const hasStep = ({ reading, alignment }: Treated, name: string): boolean =>
    alignment.ok &&
    [...reading.notes, ...alignment.notes].some(({ path, step }) => path === "" && step === name);
  const isWrapped = (one: Treated): boolean => hasStep(one, "wrapped_in_list");
  const hasAll = all.some((one) => hasStep(one, "values_as_list"));
  const isLeft = ({ reading, alignment }: Treated): boolean =>
    !alignment.ok && reading.kind === "part" && reading.tree.kind === "object";
  return all.flatMap((one) => {
    if (!isWrapped(one)) return [one];
    if (hasAll) return [];
    const isBeside = all.some((other) => isLeft(other) && other.reading.start !== one.reading.start);
    return [isBeside ? refuse(one, "mismatch") : one];
  });
}

export function refuse({ reading }: Treated, code: RefusalCode): Treated {
  return { reading, alignment: { ok: false, code, path: "" } };
}

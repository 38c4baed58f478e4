import type { RefusalCode } from "./first-aid-result.ts";
import type { Treated } from "./choose.ts";

/** Refuses members without their opening brace where the first one, which the contract gives, seems lost with it. */
export function unlessBegunLater(treated: Treated): Treated {
  const { reading, alignment } = treated;
  const isLost =
    alignment.ok &&
    reading.notes.some(({ step }) => step === "missing_brace") &&
    alignment.notes.some(({ step }) => step === "discriminator_filled");
  return isLost ? refuse(treated, "cut") : treated;
}

/** Refuses to make a list of one value where another one, which does not fit, stands beside it. */
export function unlessOneOfMany(treated: Treated, all: readonly Treated[]): Treated {
  const { reading, alignment } = treated;
  const isWrapped =
    alignment.ok &&
    reading.label === "none" &&
    alignment.notes.some(({ path, step }) => path === "" && step === "wrapped_in_list");
  const isLeft = (other: Treated): boolean =>
    !other.alignment.ok &&
    other.reading.kind === "part" &&
    other.reading.label === "none" &&
    other.reading.tree.kind === "object" &&
    other.reading.start !== reading.start;
  return isWrapped && all.some(isLeft) ? refuse(treated, "mismatch") : treated;
}

export function refuse({ reading }: Treated, code: RefusalCode): Treated {
  return { reading, alignment: { ok: false, code, path: "" } };
}

import type { JsonValue, Leaf, Places } from "#shared/schema";
import type { Account, Clause } from "./account.ts";
import type { Originals } from "./originals.ts";
import type { ProofInput, ProvenanceEntry } from "./proof.ts";
import type { TwoReadings } from "./second-reading.ts";

/** The values that an original's text can be read as. */
export interface Readings {
  /** Cheapest first; before them the lines of names and values that a text without brackets may be. */
  readonly all: readonly JsonValue[];
  readonly cheapest: JsonValue | undefined;
  /** The steps of the cheapest. */
  readonly steps: readonly string[];
}

/** A repair beside its original, as the rules about loss and addition read them. */
export interface Compared {
  readonly input: ProofInput;
  readonly original: JsonValue | undefined;
  readonly originals: Originals;
  readonly readings: Readings;
  /** Leaves of the repair, and where each comes from. */
  readonly leaves: readonly Leaf[];
  readonly kinds: readonly ProvenanceEntry["kind"][];
  /** The contract at the repair's paths, and at the original's. */
  readonly places: Places;
  readonly before: Places;
  readonly byModel: TwoReadings;
}

/** What of a message's words is in the repair. */
export interface Told {
  readonly account: Account;
  /** Returns true for a clause from which readers agree to have taken a value. */
  readonly isQuoted: (clause: Clause) => boolean;
}

/** Returns true for a value that says something. */
export function isFact(value: JsonValue): boolean {
  return value !== null && typeof value !== "object" && value !== "";
}

import { pick, seededNumber, seededRandom } from "../seeded.ts";
import type { Damage } from "./damage.ts";
import { badEnum, extraKeys, missingField, nearMissKey, wrongType } from "./damage-meaning.ts";
import {
  doubleEncoded,
  fence,
  prose,
  pythonLiterals,
  singleQuotes,
  trailingComma,
  truncation,
} from "./damage-syntax.ts";

/** Faults that leave an answer, spoiled. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  fence,
  prose,
  truncation,
  wrong_type: wrongType,
  missing_field: missingField,
  near_miss_key: nearMissKey,
  bad_enum: badEnum,
  python_literals: pythonLiterals,
  trailing_comma: trailingComma,
  single_quotes: singleQuotes,
  double_encoded: doubleEncoded,
  extra_keys: extraKeys,
};

/** Faults of the endpoint: there is no answer. */
export const OUTAGES = ["refusal", "rate_limit", "server_error", "hang"] as const;

export type Outage = (typeof OUTAGES)[number];

/** What happens to one request. */
export type Fault =
  | { readonly kind: "none" }
  | { readonly kind: "outage"; readonly outage: Outage }
  | { readonly kind: "damage"; readonly name: string; readonly random: () => number };

/** Of all faults, how many are outages; and how often each of them, a hang being dear in time. */
const OUTAGE_SHARE = 0.2;
const OUTAGE_WEIGHTS: readonly Outage[] = [
  ...Array.from({ length: 8 }, () => "rate_limit" as const),
  ...Array.from({ length: 8 }, () => "server_error" as const),
  ...Array.from({ length: 3 }, () => "refusal" as const),
  "hang",
];

/** How often a model that is asked again makes the same mistake again. Without it no message would reach the ward. */
const REPEAT_SHARE = 0.5;

export interface FaultOptions {
  /** Share of requests that go wrong, 0 to 1. */
  readonly faultRate: number;
  readonly seed: number;
}

/** One request, as far as its fault depends on it. */
export interface Asked {
  readonly agent: string;
  readonly step: string;
  readonly inputText: string;
  /** First questions with this input so far, this one included: 1 for the first. */
  readonly attempt: number;
  /** Questions again since the last first question; 0 for a first question. */
  readonly reask: number;
}

/**
 * Decides what goes wrong with a request. Pure: the same seed and the same request give the same fault, however many
 * requests run beside it. A re-ask meets the damage of its first question again, or nothing.
 */
export function planFault(asked: Asked, { faultRate, seed }: FaultOptions): Fault {
  const words = [seed, asked.agent, asked.step, asked.inputText, asked.attempt];
  if (seededNumber("is-fault", ...words) >= faultRate) return { kind: "none" };
  const random = seededRandom("fault", ...words);
  if (random() < OUTAGE_SHARE) {
    const outage = pick(OUTAGE_WEIGHTS, random) ?? "server_error";
    return asked.reask > 0 ? { kind: "none" } : { kind: "outage", outage };
  }
  const name = pick(Object.keys(DAMAGES), random) ?? "fence";
  if (asked.reask > 0 && seededNumber("repeat", asked.reask, ...words) >= REPEAT_SHARE)
    return { kind: "none" };
  return { kind: "damage", name, random };
}

/** Spoils an answer as planned; where the plan does not fit it (no enum in it, say), with the next damage that does. */
export function spoil(
  intact: Omit<Parameters<Damage>[0], "random">,
  fault: Fault & { kind: "damage" },
): string {
  const names = Object.keys(DAMAGES);
  const from = Math.max(0, names.indexOf(fault.name));
  for (const name of [...names.slice(from), ...names.slice(0, from)]) {
    const text = DAMAGES[name]?.({ ...intact, random: fault.random });
    if (typeof text === "string") return text;
  }
  return JSON.stringify(intact.answer);
}

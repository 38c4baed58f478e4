import { pick, seededNumber, seededRandom } from "../seeded.ts";
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
import type { Damage } from "./damage-syntax.ts";

/** Faults that damage the answer. */
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

/** Faults of the endpoint, without an answer. */
export const OUTAGES = ["refusal", "rate_limit", "server_error", "hang"] as const;

export type Outage = (typeof OUTAGES)[number];

/** The fault of one request. */
export type Fault =
  | { readonly kind: "none" }
  | { readonly kind: "outage"; readonly outage: Outage }
  | { readonly kind: "damage"; readonly name: string; readonly random: () => number };

/** Share of outages among all faults, and of each among them; hangs are rare because they take time. */
const OUTAGE_SHARE = 0.2;
const OUTAGE_WEIGHTS: readonly Outage[] = [
  ...Array.from({ length: 8 }, () => "rate_limit" as const),
  ...Array.from({ length: 8 }, () => "server_error" as const),
  ...Array.from({ length: 3 }, () => "refusal" as const),
  "hang",
];

/** Share of re-asks that repeat the damage. Without repetition no message would reach the ward. */
const REPEAT_SHARE = 0.5;

export interface FaultOptions {
  /** Share of requests with a fault, 0 to 1. */
  readonly faultRate: number;
  readonly seed: number;
}

/** The parts of a request that decide its fault. */
export interface Asked {
  readonly agent: string;
  readonly step: string;
  readonly inputText: string;
  /** Number of first questions with this input, this one included; from 1. */
  readonly attempt: number;
  /** Number of re-asks since the last first question; 0 for a first question. */
  readonly reask: number;
}

/**
 * Plans a request's fault. Pure: depends on the seed and the request alone, not on concurrent ones. A re-ask repeats
 * the damage of its first question, or has none.
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

/** Damages an answer as planned, or with the next damage that applies. */
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

import type { Operation } from "rfc6902";
import { prove, unwrapText } from "#shared/proof";
import { firstAid, parseTolerant } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { DataContract } from "./data-contract.ts";
import type { JobCase } from "./job-case.ts";

/** A repair of a job's data that is proved, or the reason why there is none. */
export type Proposal =
  | {
      readonly kind: "repair";
      /** The whole data as JSON text. */
      readonly data: string;
      /** RFC 6902 operations from the data's part under the contract to its repair. */
      readonly changes: readonly Operation[];
    }
  | { readonly kind: "none"; readonly reason: string };

/** Proposes a repair of a job's data by rules alone. Pure: no model, no guess; the proof's objections refuse it. */
export function proposeRepair(jobCase: JobCase, contract: DataContract | null): Proposal {
  if (contract === null) return none("The queue has no contract to repair to.");
  if (jobCase.data === null) return none("Its data is missing, too large or no text.");
  if (losesDigits(jobCase.data)) return none("It has a number with more digits than JavaScript keeps.");
  const original = originalOf(jobCase.data, contract);
  if (original === null) return none(`There is no part at ${contract.at} that can be read.`);
  const { part } = original;
  if (part.value !== undefined && contract.findFaults(part.value).length === 0)
    return none("Its data satisfies the contract: the error has another cause.");
  const repaired = firstAid(part.text, contract.jsonSchema);
  if (!repaired.ok) return none(`${repaired.code}: ${repaired.reason}`);
  const proof = prove({
    original: part,
    repaired: repaired.value,
    schema: contract.jsonSchema,
    sources: {},
    procedure: "first_aid",
    steps: repaired.notes,
    check: (value) => contract.findFaults(value),
  });
  const [objection] = proof.objections;
  if (objection !== undefined)
    return none(`The repair is not proved: ${objection.code} at "${objection.path}".`);
  return {
    kind: "repair",
    data: JSON.stringify(
      original.whole === null ? repaired.value : contract.replace(original.whole, repaired.value),
    ),
    changes: proof.diff,
  };
}

function none(reason: string): Proposal {
  return { kind: "none", reason };
}

/** Returns the part under the contract, and the whole around it; `whole` is null if the part is all there is. */
function originalOf(
  data: string,
  contract: DataContract,
): { readonly part: ReturnType<typeof unwrapText>; readonly whole: JsonValue | null } | null {
  if (contract.at === "") return { part: unwrapText(data), whole: null };
  // A name that occurs twice above the part would silently lose one of its values.
  const whole = parseJson(data);
  const part = whole === undefined || parseTolerant(data).length !== 1 ? undefined : contract.part(whole);
  if (whole === undefined || part === undefined) return null;
  return { part: unwrapText(JSON.stringify(part)), whole };
}

export function parseJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns only JSON values.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Significant digits that every double keeps. */
const DIGITS_KEPT = 15;
const NUMBER = /"(?:\\.|[^"\\])*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** Returns true if JSON text has a number, outside of strings, that JavaScript would print with other digits. */
function losesDigits(text: string): boolean {
  return (text.match(NUMBER) ?? []).some((piece) => {
    if (piece.startsWith('"')) return false;
    const digits = piece.replace(/[eE].*$/, "").replaceAll(/^-?[0.]+|\./g, "");
    return digits.length > DIGITS_KEPT && String(Number(piece)) !== piece;
  });
}

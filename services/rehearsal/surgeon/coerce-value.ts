import { isRecord } from "#shared/json";
import { readNumberWords } from "./number-words.ts";
import { findMember, membersOf, readNumber } from "./search-value.ts";
import type { Wanted } from "./search-value.ts";

/** Coerces a value to its schema; undefined when it cannot. */
export function coerceValue(present: unknown, { schema }: Wanted): unknown {
  const members = membersOf(schema);
  if (members !== null) return typeof present === "string" ? findMember(members, schema, present) : undefined;
  switch (schema["type"]) {
    case "number":
    case "integer":
      return toNumber(present, schema["type"] === "integer");
    case "boolean":
      return toBoolean(present);
    case "string":
      return typeof present === "number" || typeof present === "boolean" ? String(present) : undefined;
    case "array":
      return toArray(present);
    case "object":
      return toObject(present);
    default:
      return undefined;
  }
}

function toNumber(present: unknown, isInteger: boolean): number | undefined {
  if (typeof present !== "string") return undefined;
  const digits = present.match(/-?\d[\d ,.']*/g) ?? [];
  const value = digits.length === 1 ? readNumber((digits[0] ?? "").replace(/[ ,.']+$/, "")) : null;
  const read = value ?? (digits.length === 0 ? readNumberWords(present) : null);
  return read === null || (isInteger && !Number.isInteger(read)) ? undefined : read;
}

function toBoolean(present: unknown): boolean | undefined {
  const word = String(present).trim().toLowerCase();
  if (/^(true|yes|y|on|1|ja|oui|si)$/.test(word)) return true;
  return /^(false|no|n|off|0|nein|non)$/.test(word) ? false : undefined;
}

function toArray(present: unknown): unknown[] | undefined {
  if (present === undefined || present === null || Array.isArray(present)) return undefined;
  if (typeof present !== "string") return [present];
  const parts = present.split(/\s*(?:[,;\n]|\band\b)\s*/).filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts;
}

function toObject(present: unknown): unknown {
  if (typeof present !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(present);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

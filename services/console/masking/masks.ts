import { isDeepStrictEqual } from "node:util";
import { parseOutside } from "#shared/envelope/json";
import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import { redactText, redactValue } from "#shared/guard";
import { readJson, stepsOf } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { concealIn, hasSensitive, scalarsIn, SENSITIVE_MASK } from "#shared/masking";
import { parseTolerant } from "#shared/repair";
import { below, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Subject } from "#shared/ward";

/** Stands where a secret was. */
export const MASK = "[secret]";

/** Returns a JSON value with `[secret]` in the place of keys, tokens and passwords. */
export function maskSecrets(value: unknown): unknown {
  return redactValue(value, ["secret"]).value;
}

/**
 * Returns a text with `[secret]` in the place of secrets. JSON text stays JSON text, and is written anew, digits as
 * numbers have them, only where the places cannot be told from the text alone.
 */
export function maskText(text: string): string {
  const masked = redactText(text, ["secret"]).text;
  const value = readJson(text);
  if (typeof value !== "object" || value === null) return masked;
  const wanted = maskSecrets(value);
  if (isDeepStrictEqual(wanted, value)) return text;
  return isDeepStrictEqual(wanted, readJson(masked)) ? masked : JSON.stringify(wanted);
}

/** Returns the value of JSON text that a person has typed, or what is wrong with the text. */
export function parseTyped(
  text: string,
): { readonly value: JsonValue } | { readonly issues: readonly Issue[] } {
  try {
    // What came from JSON text is a JSON value.
    return { value: parseOutside(text) as JsonValue };
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    const own = { path: "", code: error.code.toLowerCase(), message: error.message };
    return { issues: error.issues.length > 0 ? error.issues : [own] };
  }
}

/** A value that a person was shown, or a part of it: as it is, and as it was shown. */
interface Known {
  readonly value: unknown;
  readonly masked: unknown;
}

/**
 * Puts secrets back where a person left their mask; a moved or hand-written mask is an issue, so that none is sent.
 * @param known - The values that the person may have begun with.
 */
export function restoreSecrets(
  proposed: JsonValue,
  known: readonly Known[],
  path = "",
): { readonly value: JsonValue; readonly issues: readonly Issue[] } {
  if (typeof proposed === "string") return restoreText(proposed, known, path);
  if (typeof proposed !== "object" || proposed === null) return { value: proposed, issues: [] };
  const members = Object.entries(proposed).map(([key, value]) => {
    const inner = known.map((one) => ({ value: at(one.value, key), masked: at(one.masked, key) }));
    return { key, ...restoreSecrets(value, inner, below(path, key)) };
  });
  return {
    value: Array.isArray(proposed)
      ? members.map(({ value }) => value)
      : Object.fromEntries(members.map(({ key, value }) => [key, value])),
    issues: members.flatMap(({ issues }) => issues),
  };
}

function restoreText(
  proposed: string,
  known: readonly Known[],
  path: string,
): ReturnType<typeof restoreSecrets> {
  if (!proposed.includes(MASK) && !proposed.includes(SENSITIVE_MASK)) return { value: proposed, issues: [] };
  const found = known.find(({ masked }) => masked === proposed);
  // A place of a JSON value holds a JSON value.
  if (found !== undefined) return { value: found.value as JsonValue, issues: [] };
  const message = "a value was masked here: write the value itself, or leave the masked place as it was";
  return { value: proposed, issues: [{ path, code: "masked_secret", message }] };
}

function at(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  // Read as a record: it has a member of this name.
  return (value as Record<string, unknown>)[key];
}

/** Masks what the contract of one message marks, in the message and wherever its values were copied to. */
export interface MessageMask {
  /** For values of the message's own contract. */
  readonly payload: (value: JsonValue) => JsonValue;
  /** For the message's text, whatever form it has. */
  readonly text: (text: string) => string;
  /** For text of the message that is in no value, and may be anything. */
  readonly unread: (text: string) => string;
  /** For everything else that was said about it. */
  readonly elsewhere: <Value>(value: Value) => Value;
}

/** Masks nothing. */
export const NOTHING: MessageMask = {
  payload: (value) => value,
  text: (text) => text,
  unread: (text) => text,
  elsewhere: (value) => value,
};

/**
 * Reads which values of a message and its repairs are sensitive. @param more.values - Of the same contract.
 * @param more.input - What the agent was told, where the message is its model's answer, with its schema.
 * @param more.revealed - JSON pointer to the one place whose values stay. Default: none.
 */
export function maskOf(
  subject: Subject,
  more: {
    readonly values: readonly JsonValue[];
    readonly input: { readonly value: JsonValue; readonly schema: JsonSchema } | null;
    readonly revealed?: string | undefined;
  },
): MessageMask {
  const { schema, value, text } = subject;
  const { values, input, revealed } = more;
  if (!hasSensitive(schema) && (input === null || !hasSensitive(input.schema))) return NOTHING;
  const readings = value === undefined ? parseTolerant(text).map((one) => one.value) : [value];
  const revealedIn = (one: JsonValue): (string | number)[] =>
    revealed === undefined ? [] : scalarsIn(valueAt(one, stepsOf(revealed)));
  const shown = new Set(readings.flatMap(revealedIn));
  const told = input === null ? [] : [input];
  const { payload, beside, elsewhere } = concealIn([...readings, ...values], schema, told, shown);
  return {
    payload,
    text: (one) => {
      if (value !== undefined && one === text) return JSON.stringify(payload(value));
      // Without a reading the text may hold anything; a text stays a text.
      return readings.length === 0 ? SENSITIVE_MASK : (beside(one) as string);
    },
    unread: () => SENSITIVE_MASK,
    // Shapes stay, but for texts in the place of numbers, in what is only shown.
    elsewhere: <Value>(one: Value) => elsewhere(one) as Value,
  };
}

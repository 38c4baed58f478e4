import { isDeepStrictEqual } from "node:util";
import { parseOutside } from "#shared/envelope/json";
import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import { maskSecrets, redactText } from "#shared/guard";
import { readJson, stepsOf } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { concealIn, hasSensitive, scalarsIn, SENSITIVE_MASK } from "#shared/masking";
import { parseTolerant } from "#shared/repair";
import { below, isObject, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { editJson } from "#shared/schema/edit";
import type { Subject } from "#shared/ward";

/** Stands where a secret was. */
export const MASK = "[secret]";

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
    // The value of JSON text is a JSON value.
    return { value: parseOutside(text) as JsonValue };
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    const own = { path: "", code: error.code.toLowerCase(), message: error.message };
    return { issues: error.issues.length > 0 ? error.issues : [own] };
  }
}

/** A value that a person was shown: as it is, and as it was shown. */
interface Known {
  readonly value: JsonValue;
  readonly masked: unknown;
}

/**
 * Reads JSON text that a person has typed, and puts secrets back where their masks were left; a moved or hand-written
 * mask is an issue, so that none is sent. @param known - The values that the person may have begun with.
 * @returns The text with its digits as they were typed, and what is wrong with it: then it is as it was typed.
 */
export function readTyped(
  typed: string,
  known: readonly Known[],
): { readonly text: string; readonly value: JsonValue; readonly issues: readonly Issue[] } {
  const parsed = parseTyped(typed);
  if ("issues" in parsed) return { text: typed, value: null, issues: parsed.issues };
  const issues: Issue[] = [];
  const restore = (one: JsonValue, path: string): JsonValue => {
    if (Array.isArray(one)) return one.map((item, at) => restore(item, below(path, at)));
    if (isObject(one))
      return Object.fromEntries(
        Object.entries(one).map(([name, member]) => [name, restore(member, below(path, name))]),
      );
    if (typeof one !== "string" || !(one.includes(MASK) || one.includes(SENSITIVE_MASK))) return one;
    // A masked JSON value is one.
    const shown = known.find(({ masked }) => valueAt(masked as JsonValue, stepsOf(path)) === one);
    const own = valueAt(shown?.value, stepsOf(path));
    if (own !== undefined) return own;
    const message = "a value was masked here: write the value itself, or leave the masked place as it was";
    issues.push({ path, code: "masked_secret", message });
    return one;
  };
  const value = restore(parsed.value, "");
  const text = issues.length > 0 ? typed : (editJson(typed, value) ?? JSON.stringify(value));
  return { text, value, issues };
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

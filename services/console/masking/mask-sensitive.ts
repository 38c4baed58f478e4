import type { JsonSchema } from "#shared/json";
import { concealIn, hasSensitive, scalarsIn, SENSITIVE_MASK } from "#shared/masking";
import { parseTolerant } from "#shared/repair";
import { stepsOf } from "#shared/json";
import { valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Subject } from "#shared/ward";

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

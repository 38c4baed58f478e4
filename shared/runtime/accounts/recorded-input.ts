import { z } from "zod";
import { escapeStep, isRecord, stepsOf } from "#shared/json";
import { SENSITIVE_MASK } from "#shared/masking";
import type { RunMask } from "#shared/masking";
import { valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

/** Literal text of an input that is kept with a call, in characters; what stands in the message is only referred to. */
export const INPUT_CHARS_MAX = 32_768;

/** Texts shorter than this are kept as they are, in characters. */
const REFERRED_CHARS_MIN = 64;
/** A part of a text is looked for only if it is at least this long, in characters. */
const PART_CHARS_MIN = 256;
/** Long texts of one message in which parts are looked for. */
const WHOLES_MAX = 50;
/** Members and items of a message that are searched for texts. */
const PLACES_MAX = 20_000;

/** A place of an input (`at`) whose text stands in the message: `from` to `to` of the text at `of`, in characters. */
const referenceSchema = z.tuple([z.string(), z.string(), z.number(), z.number()]).readonly();

type InputReference = z.output<typeof referenceSchema>;

/** Content of a prompt, in the form in which it is recorded: texts of the message are referred to, not copied. */
export const recordedInputSchema = z.object({
  /** Length of the input as JSON text. */
  chars: z.number(),
  /** JSON value, with null at the places of `refs`. Absent: too large, see `head`. */
  value: z.unknown().optional(),
  refs: z.array(referenceSchema).readonly(),
  /** Beginning of the input's JSON text, where all of it was too large to keep. */
  head: z.string().optional(),
});

type RecordedInput = z.output<typeof recordedInputSchema>;

/** Returns the recorded form of a prompt's input. @param text - The input as JSON text. */
export function recordInput(text: string, payload: unknown): RecordedInput {
  const { length: chars } = text;
  const refs: InputReference[] = [];
  const sources = textsOf(payload);
  const value: unknown = JSON.parse(text);
  const kept = sources.size === 0 ? value : refer(value, { at: "", sources, refs });
  const literal = refs.length === 0 ? chars : JSON.stringify(kept).length;
  if (literal <= INPUT_CHARS_MAX) return { chars, value: kept, refs };
  return { chars, refs: [], head: text.slice(0, INPUT_CHARS_MAX).toWellFormed() };
}

/** Long texts of a message, with their pointers. */
function textsOf(payload: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const left: [string, unknown][] = [["", payload]];
  for (let seen = 0; seen < PLACES_MAX; seen += 1) {
    const next = left.pop();
    if (next === undefined) break;
    const [pointer, value] = next;
    if (typeof value === "string") {
      if (value.length >= REFERRED_CHARS_MIN && !found.has(value)) found.set(value, pointer);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) left.push([`${pointer}/${escapeStep(key)}`, inner]);
    }
  }
  return found;
}

interface Place {
  readonly at: string;
  readonly sources: ReadonlyMap<string, string>;
  readonly refs: InputReference[];
}

function refer(value: unknown, place: Place): unknown {
  if (typeof value === "string") return referText(value, place);
  const below = (key: string | number, inner: unknown): unknown =>
    refer(inner, { ...place, at: `${place.at}/${escapeStep(key)}` });
  if (Array.isArray(value)) return value.map((item, index) => below(index, item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, below(key, inner)]));
}

function referText(text: string, { at, sources, refs }: Place): unknown {
  if (text.length < REFERRED_CHARS_MIN) return text;
  const whole = sources.get(text);
  if (whole !== undefined) {
    refs.push([at, whole, 0, text.length]);
    return null;
  }
  if (text.length < PART_CHARS_MIN) return text;
  let tried = 0;
  for (const [source, pointer] of sources) {
    if (source.length < text.length) continue;
    if (++tried > WHOLES_MAX) break;
    const from = source.indexOf(text);
    if (from === -1) continue;
    refs.push([at, pointer, from, from + text.length]);
    return null;
  }
  return text;
}

/**
 * Returns an input as it was sent, from its recorded form and the message. Undefined where a reference leads nowhere.
 * @param literal - Called with every scalar that is not a reference. Default: unchanged.
 */
export function restoreInput(
  { value, refs }: Pick<RecordedInput, "value" | "refs">,
  payload: unknown,
  literal: (scalar: unknown) => unknown = (scalar) => scalar,
): unknown {
  const byPlace = new Map(refs.map((ref) => [ref[0], ref]));
  let isWhole = true;
  const restore = (node: unknown, at: string): unknown => {
    const ref = byPlace.get(at);
    if (ref !== undefined) {
      const [, of, from, to] = ref;
      // Payloads are JSON.
      const text = valueAt(payload as JsonValue, stepsOf(of));
      if (typeof text === "string") return text.slice(from, to);
      isWhole = false;
      return null;
    }
    if (Array.isArray(node)) return node.map((item, index) => restore(item, `${at}/${index}`));
    if (!isRecord(node)) return literal(node);
    return Object.fromEntries(
      Object.entries(node).map(([key, inner]) => [key, restore(inner, `${at}/${escapeStep(key)}`)]),
    );
  };
  const restored = restore(value, "");
  return isWhole ? restored : undefined;
}

/**
 * Returns a model call's input under a mask: what came from the message as its contract says, nothing without a
 * contract. Undefined where a reference leads nowhere. @param message.payload - Unmasked; undefined if not kept.
 */
export function showInput(
  input: Pick<RecordedInput, "value" | "refs">,
  message: { readonly payload: unknown; readonly contract: string },
  mask: RunMask,
): unknown {
  const { payload, contract } = message;
  if (mask.isClear) return restoreInput(input, payload);
  const masked = payload === undefined ? undefined : mask.payload(payload, contract);
  return maskNames(restoreInput(input, masked, mask.unknown), mask);
}

/** Masks member names that no contract declares: they may be data. */
function maskNames(value: unknown, mask: RunMask): unknown {
  if (Array.isArray(value)) return value.map((item) => maskNames(item, mask));
  if (!isRecord(value)) return value;
  let hidden = 0;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isDeclared = mask.paths([`/${escapeStep(key)}`])[0] === `/${escapeStep(key)}`;
      if (!isDeclared) hidden += 1;
      // Numbered, so that hidden members stay apart.
      return [isDeclared ? key : `${SENSITIVE_MASK} ${hidden}`, maskNames(inner, mask)];
    }),
  );
}

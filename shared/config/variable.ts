import { z } from "zod";
import { Secret } from "./secret.ts";

/** One environment variable: how its text becomes a value, and what a good one looks like. */
export interface Variable<Value> {
  readonly schema: z.ZodType<Value, string | undefined>;
  /** Shown when the value is refused. */
  readonly example: string;
  /** Set where the text itself is a secret: the launcher hands it to no service that does not need it. */
  readonly isSecret?: true;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function numberText(form: RegExp, what: string, { min, max }: Bounds) {
  const problem = `must be a ${what} from ${min} to ${max}`;
  return z
    .string()
    .regex(form, problem)
    .transform(Number)
    .pipe(z.number().min(min, problem).max(max, problem));
}

/** Whole number of at least `min` and at most `max`, in digits only: no sign, exponent, or unit. */
export function integer({ fallback, ...bounds }: Bounds & { readonly fallback: number }): Variable<number> {
  const schema = numberText(/^\d{1,15}$/, "whole number", bounds).default(fallback);
  return { schema, example: String(fallback) };
}

/** Number of at least `min` and at most `max`, written as a decimal. */
export function decimal({ fallback, ...bounds }: Bounds & { readonly fallback: number }): Variable<number> {
  const schema = numberText(/^\d{1,12}(?:\.\d{1,12})?$/, "number", bounds).default(fallback);
  return { schema, example: String(fallback) };
}

/** TCP port; 0 takes any free one. */
export function port(fallback: number): Variable<number> {
  return integer({ min: 0, max: 65_535, fallback });
}

/** TCP port; null when it is unset, and nothing listens then. 0 takes any free one. */
export function optionalPort(example: number): Variable<number | null> {
  const schema = numberText(/^\d{1,5}$/, "whole number", { min: 0, max: 65_535 });
  return { schema: orNull(schema), example: String(example) };
}

function word<const Word extends string>(words: readonly Word[]) {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(words, `must be one of ${words.join(", ")}`));
}

/** One of a few words, in any case. */
export function choice<const Word extends string>(words: readonly Word[], fallback: Word): Variable<Word> {
  return { schema: word(words).default(fallback), example: fallback };
}

/** One of a few words, in any case; null when it is unset. */
export function optionalChoice<const Word extends string>(
  words: readonly Word[],
  example: Word,
): Variable<Word | null> {
  return { schema: orNull(word(words)), example };
}

/** Text that `pattern` allows; null when it is unset. */
export function optionalText(pattern: RegExp, problem: string, example: string): Variable<string | null> {
  return { schema: orNull(z.string().regex(pattern, problem)), example };
}

/** A text that must not be shown; null when it is unset. */
export function secretOf(schema: z.ZodType<string, string>, example: string): Variable<Secret | null> {
  return { schema: orNull(schema.transform((value) => new Secret(value))), example, isSecret: true };
}

/** Null for a variable that is unset. */
function orNull<Value>(schema: z.ZodType<Value, string>): z.ZodType<Value | null, string | undefined> {
  return schema.optional().transform((value) => value ?? null);
}

/** Text that `pattern` allows. */
export function text(pattern: RegExp, problem: string, fallback: string): Variable<string> {
  return { schema: z.string().regex(pattern, problem).default(fallback), example: fallback };
}

/** `http://` or `https://` address without user name, query or fragment; null when unset. Ends without a slash. */
export function optionalHttpUrl(example: string): Variable<string | null> {
  const schema = z
    .string()
    .refine(isPlainHttpUrl, "must be an http:// or https:// address without user name, query or fragment")
    .transform((url) => url.replace(/\/+$/, ""));
  return { schema: orNull(schema), example };
}

function isPlainHttpUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
  return url.username === "" && url.password === "" && !/[?#\s]/.test(value);
}

/** A secret that `pattern` allows; null when it is unset. */
export function secret(pattern: RegExp, problem: string, example: string): Variable<Secret | null> {
  return secretOf(z.string().regex(pattern, problem), example);
}

export const host = text(
  /^[A-Za-z0-9.:_-]{1,253}$/,
  "must be a host name or an IP address without a port",
  "127.0.0.1",
);

/** Retries of a failed message without settings; delays in ms. `deliveriesMax` counts the first delivery too. */
export const RETRY_DEFAULTS = { deliveriesMax: 3, delayMs: 1000, delayMsMax: 300_000 } as const;

export const DAY_MS = 86_400_000;

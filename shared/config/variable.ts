import { z } from "zod";

/** One environment variable: how its text becomes a value, and what a good one looks like. */
export interface Variable<Value> {
  readonly schema: z.ZodType<Value, string | undefined>;
  /** Shown when the value is refused. */
  readonly example: string;
  /** Set where the text itself is a secret: the launcher hands it to no service that does not need it. */
  readonly isSecret?: true;
}

/** Whole number of at least `min` and at most `max`, in digits only: no sign, exponent, or unit. */
export function integer(bounds: { min: number; max: number; fallback: number }): Variable<number> {
  const { min, max, fallback } = bounds;
  const problem = `must be a whole number from ${min} to ${max}`;
  return {
    schema: z
      .string()
      .regex(/^\d{1,15}$/, problem)
      .transform(Number)
      .pipe(z.number().min(min, problem).max(max, problem))
      .default(fallback),
    example: String(fallback),
  };
}

/** Number of at least `min` and at most `max`, written as a decimal. */
export function decimal(bounds: { min: number; max: number; fallback: number }): Variable<number> {
  const { min, max, fallback } = bounds;
  const problem = `must be a number from ${min} to ${max}`;
  return {
    schema: z
      .string()
      .regex(/^\d{1,12}(?:\.\d{1,12})?$/, problem)
      .transform(Number)
      .pipe(z.number().min(min, problem).max(max, problem))
      .default(fallback),
    example: String(fallback),
  };
}

/** TCP port; 0 takes any free one. */
export function port(fallback: number): Variable<number> {
  return integer({ min: 0, max: 65_535, fallback });
}

/** TCP port; null when it is unset, and nothing listens then. 0 takes any free one. */
export function optionalPort(example: number): Variable<number | null> {
  const problem = "must be a whole number from 0 to 65535";
  return {
    schema: z
      .string()
      .regex(/^\d{1,5}$/, problem)
      .transform(Number)
      .pipe(z.number().max(65_535, problem))
      .optional()
      .transform((value) => value ?? null),
    example: String(example),
  };
}

/** One of a few words, in any case. */
export function choice<const Word extends string>(words: readonly Word[], fallback: Word): Variable<Word> {
  const known = z.enum(words, `must be one of ${words.join(", ")}`);
  return { schema: z.string().toLowerCase().pipe(known).default(fallback), example: fallback };
}

/** One of a few words, in any case; null when it is unset. */
export function optionalChoice<const Word extends string>(
  words: readonly Word[],
  example: Word,
): Variable<Word | null> {
  const known = z.enum(words, `must be one of ${words.join(", ")}`);
  return {
    schema: z
      .string()
      .toLowerCase()
      .pipe(known)
      .optional()
      .transform((value) => value ?? null),
    example,
  };
}

/** Text that `pattern` allows; null when it is unset. */
export function optionalText(rule: {
  pattern: RegExp;
  problem: string;
  example: string;
}): Variable<string | null> {
  return {
    schema: z
      .string()
      .regex(rule.pattern, rule.problem)
      .optional()
      .transform((value) => value ?? null),
    example: rule.example,
  };
}

/** Text that `pattern` allows. */
export function text(rule: { pattern: RegExp; problem: string; fallback: string }): Variable<string> {
  return {
    schema: z.string().regex(rule.pattern, rule.problem).default(rule.fallback),
    example: rule.fallback,
  };
}

/** `http://` or `https://` address without user name, query or fragment; null when unset. Ends without a slash. */
export function optionalHttpUrl(example: string): Variable<string | null> {
  const schema = z
    .string()
    .refine(isPlainHttpUrl, "must be an http:// or https:// address without user name, query or fragment")
    .transform((url) => url.replace(/\/+$/, ""))
    .optional()
    .transform((value) => value ?? null);
  return { schema, example };
}

function isPlainHttpUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
  return url.username === "" && url.password === "" && !/[?#\s]/.test(value);
}

import { isRecord } from "#shared/json";

/** Longest answer of a tool, in characters of JSON. */
export const ANSWER_CHARS_MAX = 60_000;

/** From generous to tight: characters of one text, and items of one list. */
const STEPS = [
  { chars: 20_000, items: 200 },
  { chars: 4000, items: 50 },
  { chars: 1000, items: 20 },
  { chars: 300, items: 5 },
  { chars: 100, items: 1 },
] as const;

/** An answer that fits, and what was left off, by JSON pointers. */
export interface Bounded {
  readonly value: unknown;
  readonly leftOff: readonly string[];
}

/** Pointers of what was left off that are told. */
const TOLD_MAX = 50;

/** Shortens texts and lists of a JSON value until it fits. Its form stays as it is declared. */
export function bounded(value: unknown, charsMax = ANSWER_CHARS_MAX): Bounded {
  let tightest: Bounded = { value, leftOff: [] };
  for (const step of STEPS) {
    const leftOff: string[] = [];
    tightest = { value: shorten(value, "", { ...step, leftOff }), leftOff };
    if (JSON.stringify(tightest.value).length <= charsMax) break;
  }
  const { leftOff } = tightest;
  const more = leftOff.length - TOLD_MAX;
  return more <= 0
    ? tightest
    : { ...tightest, leftOff: [...leftOff.slice(0, TOLD_MAX), `and ${more} more places`] };
}

function shorten(
  value: unknown,
  path: string,
  to: { readonly chars: number; readonly items: number; readonly leftOff: string[] },
): unknown {
  const note = (left: number, of: string): void =>
    void to.leftOff.push(`${path || "/"}: ${left} ${of} left off`);
  if (typeof value === "string") {
    if (value.length <= to.chars) return value;
    note(value.length - to.chars, "characters");
    return `${value.slice(0, to.chars)}…`;
  }
  if (Array.isArray(value)) {
    if (value.length > to.items) note(value.length - to.items, "items");
    return value.slice(0, to.items).map((item, index) => shorten(item, `${path}/${index}`, to));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shorten(inner, `${path}/${name}`, to)]),
  );
}

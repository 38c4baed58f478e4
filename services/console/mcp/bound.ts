import { isRecord } from "#shared/json";

/** Longest answer of a tool, in characters of JSON. */
export const ANSWER_CHARS_MAX = 60_000;

/** Longest text of an answer, in characters; a list has a hundredth as many items. Divided until the answer fits. */
const CHARS_MAX = 20_000;
const CHARS_MIN = 100;
const DIVISOR = 5;

/** Pointers of what was left off that are told. */
const TOLD_MAX = 50;

/** Shortens texts and lists of a JSON value until it fits, and says where. Its form stays as it is declared. */
export function bounded(value: unknown): { readonly value: unknown; readonly leftOff: readonly string[] } {
  for (let chars = CHARS_MAX; ; chars /= DIVISOR) {
    const leftOff: string[] = [];
    const short = shorten(value, "", { chars, leftOff });
    if (chars / DIVISOR < CHARS_MIN || JSON.stringify(short).length <= ANSWER_CHARS_MAX)
      return { value: short, leftOff: leftOff.slice(0, TOLD_MAX) };
  }
}

function shorten(
  value: unknown,
  path: string,
  to: { readonly chars: number; readonly leftOff: string[] },
): unknown {
  const cut = <Part extends { readonly length: number; slice(from: number, to: number): Part }>(
    part: Part,
    most: number,
    of: string,
  ): Part => {
    if (part.length > most) to.leftOff.push(`${path || "/"}: ${part.length - most} ${of} left off`);
    return part.slice(0, most);
  };
  if (typeof value === "string") return cut(value, to.chars, "characters");
  if (Array.isArray(value))
    return cut(value, Math.ceil(to.chars / 100), "items").map((item, at) =>
      shorten(item, `${path}/${at}`, to),
    );
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shorten(inner, `${path}/${name}`, to)]),
  );
}

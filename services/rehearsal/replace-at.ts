import { isRecord } from "#shared/json";

/** Returns a copy with another value at a path; `undefined` removes a member. Unchanged without a parent. */
export function replaceAt(
  value: unknown,
  [step, ...rest]: readonly (string | number)[],
  replacement: unknown,
): unknown {
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.map((item, index) => (index === Number(step) ? replaceAt(item, rest, replacement) : item));
  }
  if (!isRecord(value)) return value;
  const changed = replaceAt(Object.hasOwn(value, step) ? value[step] : undefined, rest, replacement);
  if (changed !== undefined) return { ...value, [step]: changed };
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== String(step)));
}

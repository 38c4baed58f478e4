import { isRecord, pointerStep } from "#shared/json";

/** Writes a JSON pointer. */
export function writePointer(path: readonly string[]): string {
  return path.map(pointerStep).join("");
}

/** Returns the value at a path; undefined for none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (isRecord(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}

/** Returns a copy with another value at a path; `undefined` removes a member. Unchanged without a parent. */
export function withValueAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.map((item, index) => (String(index) === step ? withValueAt(item, rest, replacement) : item));
  }
  if (!isRecord(value)) return value;
  const changed = withValueAt(Object.hasOwn(value, step) ? value[step] : undefined, rest, replacement);
  const others = Object.entries(value).filter(([key]) => key !== step);
  return Object.fromEntries(changed === undefined ? others : [...others, [step, changed]]);
}

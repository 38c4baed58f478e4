interface Difference {
  /** JSON pointer. */
  readonly path: string;
  readonly kind: "changed" | "new" | "not used";
}

const FOUND_MAX = 40;

/** Returns where two JSON values differ, at the highest places; nothing of two values that are no objects alike. */
export function differences(sent: unknown, used: unknown): readonly Difference[] {
  const found: Difference[] = [];
  compare(sent, used, "", found);
  return found;
}

function compare(sent: unknown, used: unknown, path: string, found: Difference[]): void {
  if (found.length >= FOUND_MAX || Object.is(sent, used)) return;
  const [before, after] = [membersOf(sent), membersOf(used)];
  if (before === null || after === null || Array.isArray(sent) !== Array.isArray(used)) {
    if (JSON.stringify(sent) !== JSON.stringify(used)) found.push({ path: path || "/", kind: "changed" });
    return;
  }
  for (const [name, value] of before) {
    const at = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (after.has(name)) compare(value, after.get(name), at, found);
    else found.push({ path: at, kind: "not used" });
  }
  for (const name of after.keys())
    if (!before.has(name)) found.push({ path: `${path}/${name}`, kind: "new" });
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : null;
}

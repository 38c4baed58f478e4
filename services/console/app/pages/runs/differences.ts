interface Difference {
  /** JSON pointer. */
  readonly path: string;
  readonly kind: "changed" | "new" | "not used";
}

/** Returns where two JSON values differ, at the highest places. */
export function differences(sent: unknown, used: unknown, path = ""): readonly Difference[] {
  const [before, after] = [membersOf(sent), membersOf(used)];
  if (before === null || after === null || Array.isArray(sent) !== Array.isArray(used))
    return JSON.stringify(sent) === JSON.stringify(used) ? [] : [{ path: path || "/", kind: "changed" }];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): readonly Difference[] => {
    const at = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!after.has(name)) return [{ path: at, kind: "not used" }];
    if (!before.has(name)) return [{ path: at, kind: "new" }];
    return differences(before.get(name), after.get(name), at);
  });
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : null;
}

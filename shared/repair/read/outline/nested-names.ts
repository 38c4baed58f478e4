import type { Entry, Tree } from "../tree.ts";

/** Names of nested members: `a.b`, `a[0].b`, `a__b`. */
const STEPS = /[^.[\]]+|\[\d{1,4}\]/g;

interface Branch {
  readonly members: Map<string, Branch | Tree>;
}

/**
 * Nests the members of an object whose names are paths: `{"a.b": 1, "c[0]": 2}` is `{"a": {"b": 1}, "c": [2]}`.
 * Undefined where no name is one, or one stands in another's way.
 */
export function nestNames(entries: readonly Entry[]): Tree | undefined {
  if (!entries.some(({ key }) => /[^.]\.[^.]|\[\d+\]/.test(key))) return undefined;
  const root: Branch = { members: new Map() };
  for (const { key, value } of entries) {
    const steps = key.match(STEPS) ?? [];
    let at = root;
    for (const step of steps.slice(0, -1)) {
      const next = at.members.get(step) ?? { members: new Map() };
      if (!("members" in next)) return undefined;
      at.members.set(step, next);
      at = next;
    }
    const last = steps.at(-1);
    if (last === undefined || at.members.has(last)) return undefined;
    at.members.set(last, value);
  }
  return treeOf(root);
}

function treeOf({ members }: Branch): Tree | undefined {
  const entries = [...members].map(([key, value]) => ({
    key,
    value: "members" in value ? treeOf(value) : value,
  }));
  const whole = entries.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]));
  if (whole.length !== entries.length) return undefined;
  const isList = whole.every(({ key }, at) => key === `[${at}]`);
  if (isList) return { kind: "array", items: whole.map(({ value }) => value) };
  return whole.some(({ key }) => key.startsWith("[")) ? undefined : { kind: "object", entries: whole };
}

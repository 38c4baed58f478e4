import type { Entry, Tree } from "../read/tree.ts";
import { folded } from "./match-words.ts";

const NAMES: readonly string[] = ["name", "key", "field", "property"];
const VALUES: readonly string[] = ["value", "val", "content"];

/**
 * Converts a list of names and values to an object: `[["a", 1]]`, `[{"name": "a", "value": 1}]`, `[{"a": 1}, {"b":
 * 2}]`. Undefined for other lists, or a repeated name.
 */
export function pairsAsObject({ items }: Tree & { kind: "array" }): Tree | undefined {
  const entries = items.flatMap((item) => entryOf(item) ?? []);
  const isWhole = items.length > 0 && entries.length === items.length;
  const areDistinct = new Set(entries.map((entry) => entry.key)).size === entries.length;
  if (!isWhole || !areDistinct) return undefined;
  return items.length === 1 && items[0]?.kind === "object" && items[0].entries.length === 1
    ? undefined
    : { kind: "object", entries };
}

function entryOf(item: Tree): Entry | undefined {
  if (item.kind === "array") {
    const [key, value] = item.items;
    return item.items.length === 2 && key?.kind === "string" && value !== undefined
      ? { key: key.text, value }
      : undefined;
  }
  if (item.kind !== "object") return undefined;
  const [first, second] = item.entries;
  if (item.entries.length === 1) return first;
  if (item.entries.length !== 2 || first === undefined || second === undefined) return undefined;
  const [name, value] = NAMES.includes(folded(first.key)) ? [first, second] : [second, first];
  return NAMES.includes(folded(name.key)) &&
    VALUES.includes(folded(value.key)) &&
    name.value.kind === "string"
    ? { key: name.value.text, value: value.value }
    : undefined;
}

/** Converts an object with the names 0, 1, 2 … to a list; undefined for other objects. */
export function indexedAsList({ entries }: Tree & { kind: "object" }): Tree | undefined {
  const isIndexed = entries.length > 0 && entries.every((entry, index) => entry.key === String(index));
  return isIndexed ? { kind: "array", items: entries.map((entry) => entry.value) } : undefined;
}

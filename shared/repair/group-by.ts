import { kept } from "#shared/json";

/** Groups as `Map.groupBy` does, which Node 20 and browsers of its time lack. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) kept(groups, keyOf(item), () => []).push(item);
  return groups;
}

import { groupBy } from "../group-by.ts";
import type { Entry } from "./tree.ts";

/** Makes one member, a list, of members with one name; a name that comes once keeps its value. */
export function grouped(entries: readonly Entry[]): Entry[] {
  return [...groupBy(entries, ({ key }) => key)].map(([key, same]) => {
    const [only, ...others] = same.map(({ value }) => value);
    return {
      key,
      value:
        only !== undefined && others.length === 0
          ? only
          : { kind: "array", items: same.map(({ value }) => value) },
    };
  });
}

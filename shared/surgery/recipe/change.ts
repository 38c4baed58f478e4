import type { Note } from "../first-aid-result.ts";
import type { JsonValue } from "../json-value.ts";

/** Two values at one place, and what the repair said it did there. */
export interface Change {
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** JSON pointer in which every index of a list is `*`. */
  readonly path: string;
  /** The repair's notes by such pointers. */
  readonly notes: ReadonlyMap<string, readonly Note[]>;
}

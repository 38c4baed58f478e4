import type { JsonSchema } from "#shared/json";
import { folded } from "#shared/repair";
import { nameOf, scalarText } from "#shared/schema";
import type { Leaf } from "#shared/schema";
import { FirstByOutcome } from "./first-by-outcome.ts";

/** Index of the original's leaves by name, because long lists look up the same names. */
export class Originals {
  readonly leaves: readonly Leaf[];
  private readonly byName: ReadonlyMap<string, readonly Leaf[]>;
  private readonly texts = new Map<string, readonly string[]>();
  private readonly leavesAsked = new Map<JsonSchema, Map<string, FirstByOutcome<Leaf>>>();
  private readonly textsAsked = new Map<JsonSchema, Map<string, FirstByOutcome<string>>>();

  constructor(leaves: readonly Leaf[]) {
    this.leaves = leaves;
    this.byName = Map.groupBy(leaves, (leaf) => folded(nameOf(leaf.steps)));
  }

  /** Returns the leaves of a name, in any spelling. */
  named(name: string): readonly Leaf[] {
    return this.byName.get(folded(name)) ?? [];
  }

  /** Texts of a name's scalars, without blank ones. */
  textsOf(name: string): readonly string[] {
    const known =
      this.texts.get(name) ??
      this.named(name)
        .filter((leaf) => typeof leaf.value !== "object")
        .map((leaf) => scalarText(leaf.value))
        .filter((text) => text.trim() !== "");
    this.texts.set(name, known);
    return known;
  }

  /** Leaves of a name by `outcomeOf`, which must be constant for a schema and a name. */
  leavesBy(
    { schema, name }: { schema: JsonSchema; name: string },
    outcomeOf: (leaf: Leaf) => string | undefined,
  ): FirstByOutcome<Leaf> {
    return cached(this.leavesAsked, { schema, name }, () => new FirstByOutcome(this.named(name), outcomeOf));
  }

  /** As `leavesBy`, for the texts of a name. */
  textsBy(
    { schema, name }: { schema: JsonSchema; name: string },
    outcomeOf: (text: string) => string | undefined,
  ): FirstByOutcome<string> {
    return cached(this.textsAsked, { schema, name }, () => new FirstByOutcome(this.textsOf(name), outcomeOf));
  }
}

function cached<Value>(
  all: Map<JsonSchema, Map<string, Value>>,
  { schema, name }: { schema: JsonSchema; name: string },
  make: () => Value,
): Value {
  const byName = all.get(schema) ?? new Map<string, Value>();
  all.set(schema, byName);
  const value = byName.get(name) ?? make();
  byName.set(name, value);
  return value;
}

import type { JsonSchema } from "#shared/contract";
import { folded } from "#shared/repair";
import { nameOf, scalarText } from "#shared/schema";
import type { Leaf } from "#shared/schema";
import { FirstByOutcome } from "./first-by-outcome.ts";

/** The leaves of the original, found by their names: each leaf of a long list asks for those of its own name. */
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

  /** The leaves that go by a name, however it is spelled. */
  named(name: string): readonly Leaf[] {
    return this.byName.get(folded(name)) ?? [];
  }

  /** What the scalars of a name say, blanks left out. */
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

  /** The leaves of a name by what `outcomeOf`, which must be the same for a schema and a name, makes of each. */
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

import { canonical, isSameJson, leavesOf, nameOf, valueAt } from "#shared/schema";
import type { JsonValue, Leaf, Places, SchemaAt } from "#shared/schema";
import type { Objection } from "./proof.ts";
import { Originals } from "./sources.ts";

/** Maximum readings of a damaged text; with more, every marked value counts as disputed. */
const READINGS_MAX = 20;

/** Values that the contract restricts: locked ones, and those that need two people. */
export class Marks {
  private readonly places: readonly Places[];
  private readonly others: readonly Originals[];
  private readonly isSettled: boolean;

  /**
   * @param ground.places - Of the repair and of the original. A union may mark a value in one alternative only;
   * changing the alternative does not remove the mark.
   * @param ground.others - Further readings of the original's text.
   */
  constructor(ground: { readonly places: readonly Places[]; readonly others: readonly JsonValue[] }) {
    this.places = ground.places;
    this.isSettled = ground.others.length < READINGS_MAX;
    this.others = ground.others.slice(0, READINGS_MAX).map((reading) => new Originals(leavesOf(reading)));
  }

  of(leaf: Pick<Leaf, "path" | "steps">): Pick<SchemaAt, "isLocked" | "needsTwo"> {
    const found = this.places.map((places) => places.schemaAt(leaf));
    return {
      isLocked: found.some((at) => at?.isLocked === true),
      needsTwo: found.some((at) => at?.needsTwo === true),
    };
  }

  /** True when the text has one reading. */
  get isClear(): boolean {
    return this.others.length === 0;
  }

  /** Returns true when another reading has another value of this name. */
  isDisputed(leaf: Leaf): boolean {
    const name = nameOf(leaf.steps);
    const isOther = (one: Leaf): boolean => !isSameJson(one.value, leaf.value);
    return !this.isSettled || this.others.some((reading) => reading.named(name).some(isOther));
  }

  /** Removal changes a marked value too: forbidden to machines, and to one person where two are needed. */
  findRemoved(gone: {
    readonly originals: Originals;
    readonly repaired: JsonValue;
    readonly leaves: readonly Leaf[];
    readonly byPerson: boolean;
  }): Objection[] {
    const { originals, repaired, leaves, byPerson } = gone;
    const named = (leaf: Leaf): string => `${nameOf(leaf.steps)} ${canonical(leaf.value)}`;
    const kept = new Set(leaves.map(named));
    return originals.leaves
      .filter((leaf) => valueAt(repaired, leaf.steps) === undefined && !kept.has(named(leaf)))
      .filter((leaf) => {
        const { isLocked, needsTwo } = this.of(leaf);
        return needsTwo || (isLocked && !byPerson);
      })
      .map(({ path }) => ({
        path,
        code: byPerson ? "second_person" : "locked",
        message: byPerson ? "to take this away needs a second person" : "only a person may remove this field",
      }));
  }
}

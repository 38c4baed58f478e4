import { createHash } from "node:crypto";
import { validate } from "#shared/schema";
import type { Case } from "../case.ts";
import { Draw } from "../seeded.ts";
import { schemaOf } from "./contract.ts";
import type { CorpusContract } from "./contract.ts";
import { canCombine, damaged, needsNotation } from "./damage-text.ts";
import type { DamagedText } from "./damage-text.ts";
import type { Damage, Source } from "./damage.ts";
import { isJson } from "./is-json.ts";
import { contractsOf, kindsOf, SPLITS } from "./splits.ts";
import type { Split } from "./splits.ts";

/** A damaged text of one split; its class is the source of its first damage. */
export interface CorpusCase extends Case {
  readonly class: Source;
  readonly split: Split;
  readonly contract: string;
  /** One kind of damage, or two. */
  readonly kinds: readonly string[];
}

export interface CorpusOptions {
  readonly seed: number;
  /** Cases of each kind in `development` and `held_out_kinds`; half as many in the others, four times of sound ones. */
  readonly perKind: number;
}

/** Makes all cases of all splits: the same for the same options. */
export function makeCorpus({ seed, perKind }: CorpusOptions): CorpusCase[] {
  const cases = SPLITS.flatMap((split) => {
    const isFull = split === "development" || split === "held_out_kinds";
    const { about, beside } = kindsOf(split);
    return about.flatMap((damage) => {
      const share = (isFull ? 1 : 0.5) * (damage.source === "undamaged" ? 4 : 1);
      return casesOf(damage, { split, beside, count: Math.ceil(perKind * share), seed });
    });
  });
  const known = new Set<string>();
  return cases.filter(({ contract, input }) => {
    const key = `${contract}/${input}`;
    return !known.has(key) && known.add(key);
  });
}

interface Wanted {
  readonly split: Split;
  readonly beside: readonly Damage[];
  readonly count: number;
  readonly seed: number;
}

/** Goes through the split's contracts in turn until there are enough cases. Every second one has a second damage. */
function casesOf(damage: Damage, { split, beside, count, seed }: Wanted): CorpusCase[] {
  const draw = new Draw(
    createHash("sha256").update(`${seed}/${split}/${damage.kind.name}`).digest().readUInt32BE(0),
  );
  const contracts = shuffled(contractsOf(split), draw);
  const partners = beside.filter((other) => canCombine(damage, other));
  const cases: CorpusCase[] = [];
  const texts = new Set<string>();
  for (let tries = 0; tries < 8 * contracts.length && cases.length < count; tries += 1) {
    const contract = contracts[tries % contracts.length];
    if (contract === undefined) break;
    const isTwice = cases.length % 2 === 1 || needsNotation(damage);
    const made = oneCase(contract, { damage, partners: isTwice ? partners : [], draw });
    if (made === undefined || texts.has(made.text)) continue;
    texts.add(made.text);
    const kinds = made.damages.map(({ kind }) => kind.name);
    cases.push({
      id: `${split}/${kinds.join(" + ")}/${contract.name} ${cases.length}`,
      class: damage.source,
      split,
      contract: contract.name,
      kinds,
      input: made.text,
      schema: schemaOf(contract),
      right: made.right,
    });
  }
  return cases;
}

interface Making {
  readonly damage: Damage;
  readonly partners: readonly Damage[];
  readonly draw: Draw;
}

function oneCase(
  contract: CorpusContract,
  { damage, partners, draw }: Making,
): (DamagedText & { damages: Damage[] }) | undefined {
  const good = { value: contract.make(draw), contract };
  for (let tries = 0; tries < 12 && partners.length > 0; tries += 1) {
    const damages = [damage, draw.pick(partners)];
    const made = damaged(good, damages, draw);
    if (made !== undefined && isDamaged(made, damage, contract)) return { ...made, damages };
  }
  const made = damaged(good, [damage], draw);
  return made !== undefined && isDamaged(made, damage, contract) ? { ...made, damages: [damage] } : undefined;
}

/** Whether the damaged text is no sound JSON that fits the contract. Whole texts check that themselves. */
function isDamaged({ text }: DamagedText, { layer }: Damage, contract: CorpusContract): boolean {
  return layer === "whole" || !isJson(text) || validate(JSON.parse(text), schemaOf(contract)).length > 0;
}

function shuffled<Item>(items: readonly Item[], draw: Draw): Item[] {
  return items
    .map((item) => ({ item, at: draw.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

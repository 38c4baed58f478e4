import { beforeAll, describe, expect, test } from "vitest";
import { validate } from "#shared/schema";
import { Draw } from "../seeded.ts";
import { CONTRACTS } from "./all-contracts.ts";
import { DAMAGES, SOURCES } from "./all-damages.ts";
import { schemaOf } from "./contract.ts";
import { HELD_OUT_CONTRACTS, HELD_OUT_KINDS } from "./held-out.ts";
import { isJson } from "./is-json.ts";
import { makeCorpus } from "./make-corpus.ts";
import type { CorpusCase } from "./make-corpus.ts";
import { isHeldOutKind } from "./splits.ts";
import type { Split } from "./splits.ts";

describe("contracts of the corpus", () => {
  test.each(CONTRACTS)("$name: every value that it makes fits", (contract) => {
    const draw = new Draw(7);
    for (let made = 0; made < 100; made += 1)
      expect(validate(contract.make(draw), schemaOf(contract))).toEqual([]);
  });

  test("no fact of a contract is shown to readers", () => {
    const words = JSON.stringify(CONTRACTS.map(schemaOf));
    expect(words).not.toMatch(/"(?:synonyms|units|otherUnits|aliases|writtenDates|outOf)":/);
  });
});

describe("the corpus", () => {
  let cases: readonly CorpusCase[] = [];

  beforeAll(() => {
    cases = makeCorpus({ seed: 1, perKind: 4 });
  });

  test("is the same for the same options, and another for another seed", () => {
    expect(makeCorpus({ seed: 1, perKind: 4 })).toEqual(cases);
    const inputs = new Set(cases.map(({ input }) => input));
    const others = makeCorpus({ seed: 2, perKind: 4 }).filter(({ input }) => !inputs.has(input));
    expect(others.length).toBeGreaterThan(cases.length * 0.9);
  });

  test("has names of its own for all kinds and cases", () => {
    expect(new Set(DAMAGES.map(({ kind }) => kind.name)).size).toBe(DAMAGES.length);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });

  test("has a right value that fits its contract", () => {
    const unfit = cases.filter(
      ({ right, schema }) => "value" in right && validate(right.value, schema ?? {}).length > 0,
    );
    expect(unfit.map(({ id }) => id)).toEqual([]);
  });

  test("asks for no refusal of sound JSON that fits, but where a member occurs twice", () => {
    const fitting = cases.filter(
      ({ right, input, schema, kinds }) =>
        "refusal" in right &&
        isJson(input) &&
        validate(JSON.parse(input), schema ?? {}).length === 0 &&
        !kinds.includes("member twice with different values"),
    );
    expect(fitting.map(({ id }) => id)).toEqual([]);
  });

  test("has cases of every kind of damage", () => {
    const made = new Set(cases.map(({ kinds }) => kinds[0]));
    expect(DAMAGES.map(({ kind }) => kind.name).filter((name) => !made.has(name))).toEqual([]);
  });

  test("has damages of two kinds in every source but those that spoil a whole text", () => {
    const twice = new Set(cases.filter(({ kinds }) => kinds.length === 2).map((one) => one.class));
    expect(SOURCES.filter((source) => !twice.has(source))).toEqual(["undamaged", "truncation"]);
  });
});

describe("splits of the corpus", () => {
  const cases = makeCorpus({ seed: 3, perKind: 2 });
  const of = (split: Split): CorpusCase[] => cases.filter((one) => one.split === split);
  const hasHeldOutKind = ({ kinds }: CorpusCase): boolean => kinds.some((name) => HELD_OUT_KINDS.has(name));
  const hasHeldOutContract = ({ contract }: CorpusCase): boolean => HELD_OUT_CONTRACTS.has(contract);

  test("keep held-out kinds and contracts out of development", () => {
    expect(of("development").filter((one) => hasHeldOutKind(one) || hasHeldOutContract(one))).toEqual([]);
  });

  test("differ from development in what they are named for, and in nothing else", () => {
    expect(of("held_out_kinds").every((one) => hasHeldOutKind(one) && !hasHeldOutContract(one))).toBe(true);
    expect(of("held_out_contracts").every((one) => hasHeldOutContract(one) && !hasHeldOutKind(one))).toBe(
      true,
    );
    expect(of("held_out_both").every((one) => hasHeldOutContract(one) && hasHeldOutKind(one))).toBe(true);
  });

  test("hold out a third of each source's kinds, and names that exist", () => {
    for (const source of SOURCES) {
      const kinds = DAMAGES.filter((damage) => damage.source === source);
      const share = kinds.filter(isHeldOutKind).length / kinds.length;
      expect(share, source).toBeGreaterThan(0.24);
      expect(share, source).toBeLessThan(0.42);
    }
    const names = new Set([...DAMAGES.map(({ kind }) => kind.name), ...CONTRACTS.map(({ name }) => name)]);
    expect([...HELD_OUT_KINDS, ...HELD_OUT_CONTRACTS].filter((name) => !names.has(name))).toEqual([]);
  });
});

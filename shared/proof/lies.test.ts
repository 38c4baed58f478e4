import { describe, expect, test } from "vitest";
import { firstAid } from "#shared/repair";
import { canonical, isObject, isSameJson, validate } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import type { ProofInput } from "./proof.ts";
import { prove } from "./prove.ts";
import { LIES, QUOTING } from "./testing/adversary.ts";
import { LANGUAGES, OTHER_LANGUAGES } from "./testing/languages.ts";
import type { Language } from "./testing/messages.ts";
import { diceOf, makeMessage } from "./testing/messages.ts";
import type { Dice, Message } from "./testing/messages.ts";

/** Lies by one who knows the rules: none may be proved. `PROOF_REPAIRS=100000` tries a hundred thousand. */

const REPAIRS = Number(process.env["PROOF_REPAIRS"] ?? 700);
const SEED = 11;
const TIMEOUT_MS = 20_000 + REPAIRS * 30;

const PROCEDURES = ["recipe", "first_aid", "model"] as const;

interface Repair {
  readonly message: Message;
  readonly input: ProofInput;
  readonly about: string;
}

function repairOf(
  { text, value, schema }: Message,
  repaired: JsonValue,
  more: Partial<ProofInput>,
): ProofInput {
  return { original: { text, value }, repaired, schema, sources: {}, procedure: "model", ...more };
}

/** Returns the meaning of a repair: nothing by null, by an empty list and by silence, and the default by silence. */
function meaningOf(value: JsonValue, schema: Message["schema"]): string {
  if (!isObject(value)) return canonical(value);
  const properties = schema["properties"] as JsonObject;
  const members = Object.entries(properties).flatMap(([name, property]) => {
    const own = value[name] ?? (isObject(property) ? property["default"] : null) ?? null;
    return own === null || (Array.isArray(own) && own.length === 0) ? [] : [[name, own] as const];
  });
  return canonical(Object.fromEntries(members));
}

/** A lie that its contract takes; undefined where the dice give none. */
function lieOf(dice: Dice, languages: readonly Language[]): Repair | undefined {
  const message = makeMessage(dice, languages);
  const { schema, truth, quotes } = message;
  const name = dice.pick(Object.keys(LIES));
  const lie = LIES[name]?.(truth, message, dice);
  const isLie = (one: JsonValue | undefined): one is JsonValue =>
    one !== undefined &&
    validate(one, schema).length === 0 &&
    meaningOf(one, schema) !== meaningOf(truth, schema);
  if (!isLie(lie)) return undefined;
  const quoting = dice.pick(Object.keys(QUOTING));
  const own = QUOTING[quoting]?.(message, lie, dice) ?? [];
  const other = LIES[dice.pick(Object.keys(LIES))]?.(truth, message, dice) ?? {};
  const isOmission =
    name === "gives nothing" || /^(?:drops|empties|keeps|takes (?:the|one) default|puts null)/.test(name);
  const second = dice.pick([
    undefined,
    { value: truth, quotes },
    // A weak reader errs as well, and not in the same way.
    ...(isSameJson(other, lie) ? [] : [{ value: other, quotes: own }]),
    // No two liars may agree on an omission either.
    ...(isOmission ? [{ value: lie, quotes: own }] : []),
  ]);
  // First aid makes no exchange; what it makes of the text is tried below.
  const procedure = dice.pick(isOmission ? PROCEDURES : (["recipe", "model", "model"] as const));
  const input = repairOf(message, lie, procedure === "model" ? { quotes: own, second } : { procedure });
  return { message, input, about: `${name}, quoted ${quoting}, by ${procedure}` };
}

function tryLies(languages: readonly Language[], seed: number): { tried: number; proved: string[] } {
  const proved: string[] = [];
  let tried = 0;
  for (let at = 0; tried < REPAIRS; at += 1) {
    const lie = lieOf(diceOf(seed * 1_000_003 + at), languages);
    if (lie === undefined) continue;
    tried += 1;
    if (!prove(lie.input).passes) continue;
    proved.push(
      [
        lie.about,
        lie.message.text,
        JSON.stringify(lie.input.repaired),
        JSON.stringify(lie.input.second ?? null),
      ].join(" "),
    );
  }
  return { tried, proved };
}

/** Returns the messages of which first aid makes something else than they say. */
function tryFirstAid(languages: readonly Language[], seed: number): string[] {
  return Array.from({ length: REPAIRS / 5 }, (_, at) =>
    makeMessage(diceOf(seed * 1_000_003 + at), languages),
  ).flatMap((message) => {
    const { text, schema, truth } = message;
    const aided = firstAid(text, schema);
    if (!aided.ok || meaningOf(aided.value, schema) === meaningOf(truth, schema)) return [];
    const input = repairOf(message, aided.value, { procedure: "first_aid", steps: aided.notes });
    return prove(input).passes ? [`${text} => ${JSON.stringify(aided.value)}`] : [];
  });
}

/** Shares of honest repairs by kind that the proof objects to, of a model whose second reader agrees. */
function objectedTo(languages: readonly Language[]): Readonly<Record<string, number>> {
  const tried = Array.from({ length: 500 }, (_, at) => makeMessage(diceOf(900_000 + at), languages)).map(
    (message) => {
      const { truth, quotes, kind } = message;
      const { passes } = prove(repairOf(message, truth, { quotes, second: { value: truth, quotes } }));
      return { kind, passes };
    },
  );
  const byKind = Object.entries(Object.groupBy(tried, ({ kind }) => kind));
  return Object.fromEntries(
    byKind.map(([kind, some]) => [kind, some.filter(({ passes }) => !passes).length / some.length]),
  );
}

describe("an honest repair", () => {
  test.each([
    ["of our languages", LANGUAGES],
    ["of others", OTHER_LANGUAGES],
  ])(
    "%s is objected to in no data, and in prose only where it says that there is nothing, or the default",
    (_, languages) => {
      const { json, damaged, lines, mixed = 1, prose = 1 } = objectedTo(languages);
      expect([json, damaged, lines]).toEqual([0, 0, 0]);
      expect(mixed).toBeLessThan(0.15);
      expect(prose).toBeLessThan(0.3);
    },
  );
});

describe("a lie about a message", () => {
  test("is never proved where first aid errs", { timeout: TIMEOUT_MS }, () => {
    expect(tryFirstAid([...LANGUAGES, ...OTHER_LANGUAGES], SEED + 2)).toEqual([]);
  });

  test("is never proved", { timeout: TIMEOUT_MS }, () => {
    expect(tryLies(LANGUAGES, SEED).proved).toEqual([]);
  });

  test("is never proved, in languages that the rules were not made on", { timeout: TIMEOUT_MS }, () => {
    expect(tryLies(OTHER_LANGUAGES, SEED + 1).proved).toEqual([]);
  });
});

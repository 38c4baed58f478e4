import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, it, test } from "vitest";
import { describeApi } from "#shared/api";
import { checkPayload } from "#shared/contract";
import { redactValue } from "#shared/guard";
import { isRecord } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { drawTeam } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { readCases } from "../services/cli/eval/cases.ts";
import { typesOfTeams } from "../services/cli/teams/types-of-teams.ts";
import { SupportResult } from "../services/agents/support/result.ts";

/** Names of fields that often hold what is personal or secret. */
const PERSONAL =
  /(?:^|_)(?:name|names|from|sender|mail|email|phone|fax|address|street|city|birth\w*|dob|age|sex|gender|iban|bic|account|card|vat|tax_id|ssn|passport|patient|diagnosis|symptoms?|complaint|note|notes|quote|turns?|transcript|token|password|secret|user|customer|because)(?:_|$)/i;

/** Fields of such names that are neither personal nor secret, by contract and place; the reason stands beside each. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^coder\.|^planner\.|^explorer\.|^patcher\./, "code, tests and their output: a checkout holds no people"],
  [
    /^editorial\.|^fiction-editing\.|^(?:story|content)-analysis\./,
    "words and characters of a text that its author published here",
  ],
  [/^general-project\.|^electronics\./, "parts of a circuit"],
  [
    /^research\.|^chat\.|^researcher\.|^reference\.|^report\.|^writer\.|^editor\.|^investigation\./,
    "quotes of public sources",
  ],
  [/^gallery\./, "names in code that its author published here"],
  [/^invoice\.extraction@\d+ \/relationships\/\*\/from$/, "the id of an entity, made up by the model"],
  [/^(?:technical\.issue|triage\.requests)@1 \S*\/symptoms$/, "of a product"],
  [/^triage\.requests@1 \S*\/quote$/, "a customer's words to a shop, by which operators decide"],
  [
    /^specialty\.route@1 \S*\/because$/,
    "a model's reason, which is asked to name a branch of medicine and nobody",
  ],
  [/^medical\.\S+ \/turns$/, "a list: its texts are marked"],
  [/^medical\.referral@1 \/packet\/transcript/, "a reference to a stored file, not its words"],
];

interface Field {
  readonly contract: string;
  readonly path: string;
  readonly name: string;
  readonly isMarked: boolean;
}

/** Every field of a contract, with whether it or one above it is marked. */
function fieldsOf(contract: string, root: JsonSchema): Field[] {
  const fields: Field[] = [];
  const record = (value: unknown): Record<string, unknown> =>
    typeof value === "object" && value !== null ? { ...value } : {};
  const walk = (value: unknown, path: string, above: boolean, refs: readonly string[]): void => {
    if (typeof value !== "object" || value === null) return;
    const schema = record(value);
    const isMarked = above || isMarkedIn(schema);
    for (const [name, inner] of Object.entries(record(schema["properties"]))) {
      const inside = `${path}/${name}`;
      fields.push({ contract, path: inside, name, isMarked: isMarked || isMarkedIn(record(inner)) });
      walk(inner, inside, isMarked, refs);
    }
    for (const key of ["items", "additionalProperties"]) walk(schema[key], `${path}/*`, isMarked, refs);
    for (const key of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
      const list = schema[key];
      if (Array.isArray(list)) for (const one of list) walk(one, path, isMarked, refs);
    }
    const ref = schema["$ref"];
    if (typeof ref === "string" && !refs.includes(ref))
      walk(record(root["$defs"])[ref.slice("#/$defs/".length)], path, isMarked, [...refs, ref]);
  };
  walk(root, "", false, []);
  return fields;
}

/** Also where the mark stands on the one alternative that is not null. */
function isMarkedIn(schema: Record<string, unknown>): boolean {
  return (
    schema["x-sensitive"] === true || JSON.stringify(schema["anyOf"] ?? []).includes('"x-sensitive":true')
  );
}

/** Agents that the patterns of `shared/patterns` put together, which have no guard of their own. */
const MADE_BY_PATTERNS: readonly string[] = [
  "longread",
  "longread-map",
  "longread-reduce",
  "longread-gather",
  "specialty",
  "investigation",
  "investigation-review",
  "report",
  "report-shell",
];

const teams = await loadTeams("services/agents");

describe("the teams that come with it", () => {
  test("mark every field that looks personal, or say why it is not", () => {
    const open = teams
      .flatMap((team) => team.contracts.all())
      .flatMap(({ id, jsonSchema }) => fieldsOf(id, jsonSchema))
      .filter(({ name, isMarked }) => PERSONAL.test(name) && !isMarked)
      .map(({ contract, path }) => `${contract} ${path}`)
      .filter((place) => REASONS.every(([where]) => !where.test(place)));
    expect(open).toEqual([]);
  });

  test.each(teams.map((team) => [team.name, team] as const))(
    "%s says what its results are redacted of",
    (_name, team) => {
      expect(team.options.redacts).toContain("secret");
    },
  );

  test("say of every agent what it may cause, but for those that patterns make", () => {
    const silent = teams.flatMap((team) =>
      [...team.agents.values()]
        .filter(({ options }) => options.guard?.mayCause === undefined)
        .map(({ name }) => name),
    );
    expect(silent).toEqual(MADE_BY_PATTERNS);
  });

  test("that move money name the act, and take their readers' words for a customer's", () => {
    const support = teams.find(({ name }) => name === "support");
    expect(support?.agents.get("refunds")?.options.guard?.mayCause).toEqual(["refund"]);
    expect(support?.agents.get("triage")?.options.guard?.untrusted?.payload).toHaveProperty(["/body"]);
  });
});

it.each([
  ["support", 105],
  ["medical", 151],
  ["research", 100],
] as const)("has a labelled set of %s with tasks that the team takes, %i and more", async (name, least) => {
  const entry = teams.find((team) => team.name === name)?.entry;
  if (entry === undefined) throw new RangeError(name);
  const { cases } = await readCases(`services/agents/${name}`, entry.accepts);
  expect(cases.length).toBeGreaterThanOrEqual(least);
});

const names = globSync("services/agents/*/team.ts").map((file) => basename(dirname(file)));

it("gives every shipped team's result a name in OpenAPI, and a type in what `suture types` writes", async () => {
  expect(teams.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  const document = describeApi(teams);
  const { schemas } = document.components;
  expect(isRecord(schemas)).toBe(true);
  const types = await typesOfTeams(document);
  for (const { name, options } of teams) {
    const schema = options.result?.id.replace("@", ".v") ?? "";
    expect(schema).toMatch(new RegExp(`^${name}\\.result\\.v\\d+$`));
    expect(schemas).toHaveProperty([schema]);
    expect(schemas).toHaveProperty(["Teams", "properties", name, "properties", "result"], {
      $ref: `#/components/schemas/${schema}`,
    });
    expect(types).toContain(`result: components["schemas"]["${schema}"]`);
  }
  expect(types).toContain('status: "follow_up"');
});

it("does not fail a run because sensitive data was taken out of its result", () => {
  const card = "4111111111111111";
  const result = {
    status: "escalated",
    cause: "unclear",
    ticket_id: card,
    customer_email: `${card}@example.org`,
    language: "en",
    packet: {
      headline: `password: abcd ${"x".repeat(105)}`,
      what_happened: card,
      what_is_wanted: card,
      suggested_next: card,
      tone: "calm",
    },
    decided: { category: "refunds", order_id: card },
  };
  const { value, found } = redactValue(result, ["card", "iban", "secret"]);
  expect(found).toMatchObject({ card: 6, secret: 1 });
  expect(checkPayload(SupportResult, value)).toEqual(value);
  expect(() => checkPayload(SupportResult, { ...result, cause: "bored" })).toThrow();
});

/** A page that shows another graph than the code has is worse than none. */

const pageOf = (team: string): string => `docs/teams/${team}.md`;

it("shows on each team's page the graph that the code has", () => {
  expect(teams.length).toBeGreaterThanOrEqual(6);
  for (const team of teams) {
    const drawn = /```mermaid\n([^]*?)\n```/.exec(readFileSync(pageOf(team.name), "utf8"))?.[1];
    expect(drawn, pageOf(team.name)).toBe(drawTeam(team));
  }
});

const MINUTE_MS = 60_000;

/** The sentence about lives that a team's page has to hold. */
function lifeOf({ agents, options }: Team): string {
  if (options.ttlMs !== undefined) throw new Error("say here how a page tells a team's own life");
  const own = [...agents.values()].flatMap(({ name, options: { ttlMs } }) =>
    ttlMs === undefined ? [] : [`; a message to \`${name}\` lives ${ttlMs / MINUTE_MS} minutes`],
  );
  return `A task lives one day, unless it or \`SUTURE_TASK_LIFE_HOURS\` says otherwise${own.join("")}.`;
}

it("says on each team's page how long its tasks live, as the code has it", () => {
  for (const team of teams)
    expect(readFileSync(pageOf(team.name), "utf8"), pageOf(team.name)).toContain(lifeOf(team));
});

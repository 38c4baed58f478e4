import { describe, expect, test } from "vitest";
import type { JsonSchema } from "#shared/json";
import { loadTeams } from "#shared/runtime/process";

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

import { z } from "zod";
import { toIssues } from "#shared/contract";
import { readConstraints } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import { pointerStep } from "#shared/json";
import { AgentDefinitionError, TeamDefinitionError } from "../errors.ts";

/** Fields of a user's preferences, or of a task's constraints, as an agent declares them. Each may be absent. */
export type Terms = z.ZodObject;

/** Declares no field. */
export type NoTerms = z.ZodObject<Record<never, never>>;

export interface DeclaredTerms {
  readonly preferences?: Terms;
  readonly constraints?: Terms;
}

const ACTION = /^[a-z][a-z0-9_.:-]{0,63}$/i;
const ACTIONS_MAX = 64;
const WORDS_MAX = 100_000;

/** Constraints that the runtime enforces; `max_words` for agents that name its texts by `wordsIn`. */
export const constraintFields = {
  /** No work begins after it. RFC 3339, UTC. */
  deadline: z.iso.datetime().optional(),
  /** Maximum model cost of the run, in USD. */
  max_cost_usd: z.number().min(0).optional(),
  /** Actions of `ctx.once` that the run must not cause, by name. */
  forbidden_actions: z.array(z.string().regex(ACTION)).max(ACTIONS_MAX).optional(),
  /** Maximum words of the text that the run ends with. */
  max_words: z.int().min(1).max(WORDS_MAX).optional(),
};

const { max_words: _declared, ...everywhere } = constraintFields;

/** Constraints that every team takes. */
export const RUN_RULES = z.object(everywhere);

/** Preferences that every team takes. */
export const RUN_PREFERENCES = z.object({
  /** Model of the tier `worker` for all steps of the run, of those that the operator allows. */
  user_chat_model: z.string().max(200).optional(),
});

/** Returns the fault of a preferred model that the operator does not allow. */
export function findModelFault(
  preferences: Readonly<Record<string, unknown>>,
  allowed: readonly string[],
): Issue[] {
  const { user_chat_model: wanted } = preferences;
  if (wanted === undefined || allowed.some((one) => one === wanted)) return [];
  const message = `may be one of: ${allowed.join(", ") || "none (SUTURE_USER_MODELS)"}`;
  return [{ path: "/user/preferences/user_chat_model", code: "not_allowed", message }];
}

/** Preferences and constraints that a team takes: the fields of all its agents, and those of every team. */
export interface TeamTerms {
  readonly preferences: Terms;
  readonly constraints: Terms;
}

/** Checks a declaration. @throws {AgentDefinitionError} A required field, or an enforced name with another schema. */
export function checkTerms(id: string, { preferences, constraints }: DeclaredTerms): void {
  for (const [what, schema] of Object.entries({ preferences, constraints })) {
    const [issue] = schema?.safeParse({}).error?.issues ?? [];
    if (issue !== undefined)
      throw new AgentDefinitionError(id, `${what} needs ${issue.path.join(".")}, which tasks may leave out`);
  }
  for (const [name, schema] of Object.entries(constraintFields)) {
    const own = constraints?.shape[name];
    if (own !== undefined && !isSame(own, schema))
      throw new AgentDefinitionError(id, `its constraint ${name} is not that of constraintFields`);
  }
}

/** Joins the declarations of a team's agents. @throws {TeamDefinitionError} Two declare one field differently. */
export function joinTerms(team: string, agents: Iterable<{ readonly options: DeclaredTerms }>): TeamTerms {
  const preferences: Record<string, z.core.$ZodType> = { ...RUN_PREFERENCES.shape };
  const constraints: Record<string, z.core.$ZodType> = { ...RUN_RULES.shape };
  for (const { options } of agents) {
    add(team, preferences, options.preferences);
    add(team, constraints, options.constraints);
  }
  return { preferences: z.strictObject(preferences), constraints: z.strictObject(constraints) };
}

function add(team: string, known: Record<string, z.core.$ZodType>, declared: Terms | undefined): void {
  for (const [name, schema] of Object.entries(declared?.shape ?? {})) {
    const before = known[name];
    if (before !== undefined && !isSame(before, schema))
      throw new TeamDefinitionError(team, `two of its agents declare ${name} with different schemas`);
    known[name] = schema;
  }
}

/** Compares two schemas by what they say in JSON Schema. */
function isSame(one: z.core.$ZodType, other: z.core.$ZodType): boolean {
  if (one === other) return true;
  const [first, second] = [one, other].map((schema) =>
    JSON.stringify(z.toJSONSchema(schema, { unrepresentable: "any" })),
  );
  return first === second;
}

/** Returns every fault of a task's preferences and constraints: a team takes only what its agents declare. */
export function findTermFaults(
  terms: TeamTerms,
  { preferences, constraints }: { readonly preferences: unknown; readonly constraints: readonly string[] },
): Issue[] {
  const { values, repeated } = readConstraints(constraints);
  const under = "/constraints";
  return [
    ...faultsOf({
      schema: terms.preferences,
      given: preferences,
      under: "/user/preferences",
      what: "preference",
    }),
    ...faultsOf({ schema: terms.constraints, given: values, under, what: "constraint" }),
    ...repeated.map((name) => ({
      path: under + pointerStep(name),
      code: "repeated",
      message: "the constraint is given twice",
    })),
  ];
}

function faultsOf(asked: {
  readonly schema: Terms;
  readonly given: unknown;
  readonly under: string;
  readonly what: string;
}): Issue[] {
  const parsed = asked.schema.safeParse(asked.given);
  if (parsed.success) return [];
  const known = Object.keys(asked.schema.shape).join(", ") || "none";
  return toIssues(parsed.error, asked.under).map((issue) =>
    issue.code === "unknown_field"
      ? { ...issue, message: `the team reads no such ${asked.what}; it knows ${known}` }
      : issue,
  );
}

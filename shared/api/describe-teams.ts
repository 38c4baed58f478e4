import { z } from "zod";
import type { Contract } from "#shared/contract";
import { SENSITIVE_MASK } from "#shared/masking";
import type { Team } from "#shared/runtime";

type Json = Readonly<Record<string, unknown>>;

const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Returns the name of a contract's schema: `support.email@1` is `support.email.v1`, as OpenAPI allows no `@`. */
function nameOf({ name, version }: Contract): string {
  return `${name}.v${version}`;
}

/** Additions of the contracts of teams to the description of the API. */
export interface DescribedTeams {
  /** Schemas by name: every contract, the tasks of each team, and `Teams`, with input and result by team. */
  readonly schemas: Json;
  /** The body of a task, one form for each team. */
  readonly task: Json;
  /** Members of a run beside the common ones: the result, by team. */
  readonly run: Json;
}

/** @param task - Schema of the body of a task, whatever its team. */
export function describeTeams(teams: readonly Team[], task: Json): DescribedTeams {
  const schemas: Record<string, unknown> = {};
  for (const { contracts, options } of teams)
    for (const one of [...contracts.all(), ...(options.result === undefined ? [] : [options.result])])
      Object.assign(schemas, withDefinitions(nameOf(one), one.jsonSchema));
  for (const team of teams) schemas[`Task.${team.name}`] = taskOf(team, task);
  const names = teams.map(({ name }) => name);
  schemas["Teams"] = objectOf(
    Object.fromEntries(
      teams.map((team) => [
        team.name,
        objectOf({ input: refTo(nameOf(team.entry.accepts)), result: resultOf(team) }),
      ]),
    ),
  );
  return {
    schemas,
    task: {
      oneOf: names.map((name) => refTo(`Task.${name}`)),
      discriminator: {
        propertyName: "team",
        mapping: Object.fromEntries(names.map((name) => [name, refTo(`Task.${name}`)["$ref"]])),
      },
    },
    run: { oneOf: teams.map(runOf) },
  };
}

function taskOf({ name, entry, terms }: Team, task: Json): Json {
  // The body of a task is an object whose members zod writes as `properties`; so is the user in it.
  const { user, ...members } = task["properties"] as Readonly<Record<string, Json>>;
  const ofUser = user?.["properties"] as Json | undefined;
  const preferences = z.toJSONSchema(terms.preferences, { io: "input" });
  return {
    ...task,
    properties: {
      ...members,
      team: { const: name },
      input: refTo(nameOf(entry.accepts)),
      user: { ...user, properties: { ...ofUser, preferences: withoutDialect(preferences) } },
    },
  };
}

/** Null where the run has none yet, or ended without; masked where the key may not see it. */
function runOf(team: Team): Json {
  const none = [{ type: "null" }, { const: SENSITIVE_MASK }];
  const isTyped = team.options.result !== undefined;
  return objectOf({
    team: { const: team.name },
    result: isTyped ? { anyOf: [resultOf(team), ...none] } : {},
  });
}

function resultOf({ options: { result } }: Team): Json {
  return result === undefined ? {} : refTo(nameOf(result));
}

function objectOf(properties: Json): Json {
  return { type: "object", required: Object.keys(properties), properties };
}

/** Returns a schema and the definitions in it, each under a name of its own, with its references to match. */
function withDefinitions(name: string, schema: Json): Json {
  const { $defs = {}, ...own } = withoutDialect(schema);
  const readRef = (key: string, value: unknown): unknown =>
    key === "$ref" && typeof value === "string"
      ? value.replace(/^#(?:\/\$defs\/(.+))?$/, (_, part?: string) =>
          String(refTo(part === undefined ? name : `${name}.${part}`)["$ref"]),
        )
      : value;
  const all = Object.entries({ [name]: own, ...prefixed(name, $defs) });
  return Object.fromEntries(
    all.map(([key, one]): [string, unknown] => [key, JSON.parse(JSON.stringify(one), readRef)]),
  );
}

function prefixed(name: string, definitions: unknown): Json {
  if (typeof definitions !== "object" || definitions === null) return {};
  return Object.fromEntries(Object.entries(definitions).map(([key, one]) => [`${name}.${key}`, one]));
}

/** OpenAPI 3.1 names the dialect once, for the whole document. */
function withoutDialect(schema: Json): Json {
  const { $schema: _, ...own } = schema;
  return own;
}

import type { z } from "zod";
import { toJsonSchema } from "#shared/contract";
import type { ObjectSchema } from "#shared/contract";
import { isRecord } from "#shared/json";
import { problemSchema } from "#shared/http";
import type { Team } from "#shared/runtime";
import { CONSOLE_API, GATEWAY_API } from "./api.ts";
import { describeTeams } from "./describe-teams.ts";
import type { DeclaredAnswer, DeclaredApi, DeclaredOperation } from "./operation.ts";
import { streamedEventSchema } from "./run-events.ts";

/** Codes that every operation may answer with. */
const COMMON_PROBLEMS = [
  "request_invalid",
  "unauthorised",
  "key_expired",
  "forbidden",
  "rate_limited",
  "store_unavailable",
  "internal_error",
];

type Json = Readonly<Record<string, unknown>>;

/** A document of OpenAPI 3.1. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly Json[];
  /** Requirement of operations that declare no other. */
  readonly security: readonly Json[];
  readonly tags: readonly Json[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: Json;
}

/**
 * Writes the whole API as OpenAPI 3.1; tags say which process serves an operation.
 * @param teams - Their contracts become named schemas. Default: none. @param url - Default: the document's origin.
 */
export function describeApi(teams: readonly Team[] = [], url = "/"): ApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  const typed = teams.length === 0 ? null : describeTeams(teams, bodySchema(GATEWAY_API.submitTask.body));
  const known: DeclaredApi = { ...GATEWAY_API, ...CONSOLE_API };
  for (const [id, operation] of Object.entries(known)) {
    const at = (paths[operation.path.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
    at[operation.method.toLowerCase()] = describeOperation(id, operation, {
      body: id === "submitTask" ? typed?.task : undefined,
      answer: id === "showRun" ? typed?.run : undefined,
    });
  }
  const document: ApiDocument = {
    openapi: "3.1.0",
    info: {
      title: "Suture",
      version: "1",
      description:
        "Submit tasks to teams of agents, follow their runs (gateway), and decide about dead messages (console). " +
        "Errors are RFC 9457 problems.",
    },
    servers: [{ url, description: "The gateway" }],
    security: [{ key: [] }],
    tags: [{ name: "gateway" }, { name: "console" }],
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      schemas: {
        Problem: toJsonSchema(problemSchema, "output"),
        RunEvent: toJsonSchema(streamedEventSchema, "output"),
        ...typed?.schemas,
      },
    },
  };
  // The same document, with more members in some schemas.
  return JSON.parse(JSON.stringify(document), describingRequired) as ApiDocument;
}

/** Describes the members of a record by enum, which zod only requires: generators of clients refuse that. */
function describingRequired(_key: string, value: unknown): unknown {
  if (!isRecord(value) || "properties" in value || !Array.isArray(value["required"])) return value;
  const { additionalProperties: each = {}, propertyNames: _, required, ...rest } = value;
  const names = value["required"].map(String);
  const properties = Object.fromEntries(names.map((name) => [name, each]));
  return { ...rest, properties, required, additionalProperties: false };
}

/** Operations of the console alone are served at its own address. */
const CONSOLE_SERVERS = [
  {
    url: "{console}",
    description: "The console",
    variables: { console: { default: "http://127.0.0.1:8081" } },
  },
];

/** Schemas that teams give a body and an answer, in place of and beside what is declared. */
interface Typed {
  readonly body: Json | undefined;
  readonly answer: Json | undefined;
}

function describeOperation(id: string, operation: DeclaredOperation, typed: Typed): Json {
  const { summary, scopes, params, query, body, takes, answers, problems = [] } = operation;
  const codes = [...COMMON_PROBLEMS, ...problems].join(", ");
  const scopesText = scopes === null ? {} : { description: `Scopes: ${scopes.join(", ")}.` };
  const parameters = [...describeParameters("path", params), ...describeParameters("query", query)];
  return {
    operationId: id,
    summary,
    ...scopesText,
    tags: [...(id in GATEWAY_API ? ["gateway"] : []), ...(id in CONSOLE_API ? ["console"] : [])],
    ...(id in GATEWAY_API ? {} : { servers: CONSOLE_SERVERS }),
    ...(scopes === null ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: describeBody(body, typed.body) }),
    ...(takes === "stream" ? { requestBody: { content: { "application/octet-stream": {} } } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          describeAnswer(answer, typed.answer ?? schemaOfStream(operation)),
        ]),
      ),
      default: {
        description: `A problem. Codes: ${codes}.`,
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function describeParameters(place: "path" | "query", schema: z.ZodType | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, "input");
  return Object.entries(properties).map(([name, { description, ...own }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: own,
  }));
}

function bodySchema(body: z.ZodType): ObjectSchema {
  return toJsonSchema(body, "input");
}

function describeBody(body: z.ZodType, schema: Json = bodySchema(body)): Json {
  const isRequired = !body.safeParse(undefined).success;
  return { required: isRequired, content: { "application/json": { schema } } };
}

/** Of the data of each event: OpenAPI 3.1 has no other place for it. */
function schemaOfStream({ each }: DeclaredOperation): Json | undefined {
  return each === streamedEventSchema ? { $ref: "#/components/schemas/RunEvent" } : undefined;
}

function describeAnswer(answer: DeclaredAnswer, more: Json | undefined): Json {
  if (answer === null) return { description: "Nothing" };
  if (typeof answer === "string")
    return { description: "Content", content: { [answer]: more === undefined ? {} : { schema: more } } };
  const { description = "The answer", ...own } = toJsonSchema(answer, "output");
  const schema = more === undefined ? own : { allOf: [own, more] };
  return { description, content: { "application/json": { schema } } };
}

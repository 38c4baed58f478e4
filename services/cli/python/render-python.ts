import { readFileSync } from "node:fs";
import { z } from "zod";
import { readTeams } from "../print/types-of-teams.ts";

type Json = Readonly<Record<string, unknown>>;

const objectForm = z.record(z.string(), z.unknown());
const refForm = z.string();
const RUNTIME = new URL("runtime.py", import.meta.url);

/**
 * Returns a Python module: a client with the types of the teams, for Python's standard library alone.
 *
 * @param document - The description of the API at `/v1/openapi.json`.
 * @throws {CommandRefusedError} The document describes no teams.
 */
export function renderPython(document: unknown): string {
  const { Teams, ...others } = readTeams(document).components.schemas;
  const schemas = Object.fromEntries(
    // Tasks are made by `submit` from its arguments.
    Object.entries(others).filter(([name]) => !name.startsWith("Task.")),
  );
  const types = Object.entries(schemas).map(([name, schema]) =>
    declare(classOf(name), objectForm.parse(schema)),
  );
  const teams = Object.entries(membersOf(Teams)).map(([name, team]) => [name, membersOf(team)] as const);
  return readFileSync(RUNTIME, "utf8")
    .replace("# types\n", () => types.join("\n\n"))
    .replace("    # submit\n", () => submitOf(teams));
}

function submitOf(teams: readonly (readonly [string, Json])[]): string {
  const isOnly = teams.length === 1;
  const signatures = teams.map(([name, { input, result }]) =>
    signature(`Literal[${text(name)}]`, typeOf(input), typeOf(result)),
  );
  const overloads = signatures.map((one) => `    @overload\n${one} ...\n\n`).join("");
  // A single overload is none.
  const own = isOnly ? signatures.join("") : overloads + signature("str", "Any", "Any");
  return `${own}
        """Submits a task; repeats with the same idempotency key are one run. \`terms\` as \`POST /v1/tasks\` takes them."""
        return self._submit(team, input, idempotency_key, terms)
`;
}

function signature(team: string, input: string, result: string): string {
  return `    def submit(
        self, team: ${team}, input: ${input}, idempotency_key: str | None = None, **terms: Any
    ) -> Run[${result}]:`;
}

/** Names are quoted wherever they are used, so that the order of declarations does not matter. */
function declare(name: string, schema: Json): string {
  if (schema["type"] !== "object" || schema["properties"] === undefined)
    return `${name} = Union[${typeOf(schema)}, ${typeOf(schema)}]`;
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const members = Object.entries(membersOf(schema)).map(
    ([key, one]) => `    ${text(key)}: ${required.has(key) ? "Required" : "NotRequired"}[${typeOf(one)}],\n`,
  );
  return `${name} = TypedDict(\n    ${text(name)},\n    {\n${members.map((one) => `    ${one}`).join("")}    },\n)`;
}

function membersOf(schema: unknown): Json {
  return objectForm.catch({}).parse(objectForm.catch({}).parse(schema)["properties"]);
}

const PLAIN: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** Returns the type of a schema; `Any` for what Python's types cannot say. */
function typeOf(value: unknown): string {
  const schema = objectForm.catch({}).parse(value);
  const { $ref, anyOf, oneOf, type, items, additionalProperties } = schema;
  if ($ref !== undefined) return text(classOf(refForm.parse($ref).slice("#/components/schemas/".length)));
  if (schema["const"] !== undefined) return literal([schema["const"]]);
  if (Array.isArray(schema["enum"])) return literal(schema["enum"]);
  const options =
    anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((one: unknown) => ({ type: one })) : undefined);
  if (Array.isArray(options)) return `Union[${options.map(typeOf).join(", ")}]`;
  if (type === "array") return `list[${items === undefined ? "Any" : typeOf(items)}]`;
  if (type === "object")
    return `dict[str, ${typeof additionalProperties === "object" ? typeOf(additionalProperties) : "Any"}]`;
  return PLAIN[String(type)] ?? "Any";
}

function literal(values: readonly unknown[]): string {
  const written = values.map((one) => {
    if (typeof one === "string") return text(one);
    if (typeof one === "boolean") return one ? "True" : "False";
    return one === null ? "None" : Number.isInteger(one) ? JSON.stringify(one) : null;
  });
  return written.includes(null) ? "Any" : `Literal[${written.join(", ")}]`;
}

/** `support.email.v1` is `SupportEmailV1`. */
function classOf(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

/** JSON's strings are Python's, where no character stands outside the plane of 16 bits. */
function text(value: string): string {
  return JSON.stringify(value);
}

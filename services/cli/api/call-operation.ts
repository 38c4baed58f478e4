import { CONSOLE_API, GATEWAY_API } from "#shared/api";
import { CommandRefusedError } from "../errors.ts";
import { callEndpoint } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import type { Endpoint } from "../http/call.ts";
import { printJson, printListing } from "../print/print-answer.ts";
import { readInput, readJson } from "../read-input.ts";

/** The parts of a declared operation that a command needs. */
interface Declared {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Null: anyone may call it. */
  readonly scopes: readonly string[] | null;
  readonly takes?: string;
  readonly answers: object;
}

/** An operation of the declared API, and where it is served. */
interface Operation extends Declared {
  readonly id: string;
  readonly service: "console" | "gateway";
}

/** Of an operation that both services have, the console's. */
const OPERATIONS: readonly Operation[] = [
  ...Object.entries(CONSOLE_API).map(([id, declared]) => operationOf(id, declared, "console")),
  ...Object.entries(GATEWAY_API)
    .filter(([id]) => !Object.hasOwn(CONSOLE_API, id))
    .map(([id, declared]) => operationOf(id, declared, "gateway")),
].filter(hasJson);

function operationOf(id: string, declared: Declared, service: Operation["service"]): Operation {
  return { ...declared, id, service };
}

/** Streams, files and sessions are for other clients. */
function hasJson({ answers, takes, path }: Operation): boolean {
  const isText = Object.values(answers).some((answer) => typeof answer === "string");
  return !isText && takes !== "stream" && path !== "/v1/session";
}

/** Lists the operations, or those whose id, path or summary holds a word. */
export function listOperations(word: string, { json }: Connection): void {
  const found = OPERATIONS.filter((one) =>
    [one.id, one.path, one.summary].some((text) => text.toLowerCase().includes(word.toLowerCase())),
  );
  printListing({
    answer: found.map(({ id, service, method, path, summary, scopes }) => ({
      operation: id,
      service,
      method,
      path,
      scopes,
      summary,
    })),
    rows: found,
    columns: [
      "id as operation",
      ["asks", ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`],
      ["for", ({ scopes }) => scopes?.join(" ") ?? "anyone"],
      "summary",
    ],
    empty: "No operation is called so.",
    json,
  });
}

/**
 * Calls one operation and prints its answer as JSON. @param given - Its parameters, query and body by name:
 * `name=text`, `name:=JSON`, and `name=@file` or `name:=@file` for the content of a file (`-`: standard input).
 * @throws {CommandRefusedError | NothingRunsError | RequestRefusedError}
 */
export async function callOperation(
  id: string,
  given: readonly string[],
  connection: Connection,
): Promise<void> {
  const operation = OPERATIONS.find((one) => one.id === id);
  if (operation === undefined)
    throw new CommandRefusedError(
      `There is no operation ${id.slice(0, 64)}.`,
      'See "suture api" for all of them, "suture api ls groups" for some.',
    );
  const fields = Object.fromEntries(await Promise.all(given.map(readField)));
  const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const missing = names.find((name) => typeof fields[name] !== "string");
  if (missing !== undefined)
    throw new CommandRefusedError(`${id} needs ${missing}.`, `Give ${missing}=… with it.`);
  const params = Object.fromEntries(names.map((name) => [name, String(fields[name])]));
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  const endpoint = `${operation.method} ${operation.path.replaceAll(/:(\w+)/g, "{$1}")}`;
  // Of the table that the client's types are made from.
  const request = { params, fields: rest };
  printJson(await callEndpoint(findApi(operation.service, connection), endpoint as Endpoint, request));
}

async function readField(given: string): Promise<readonly [name: string, value: unknown]> {
  const [, name = "", isJson, value = ""] = /^(\w+)(:?)=(.*)$/s.exec(given) ?? [];
  if (name === "")
    throw new CommandRefusedError(
      `${given.slice(0, 64)} is neither name=text nor name:=JSON.`,
      "Write, say, why=leaked or limit:=20.",
    );
  const text = value.startsWith("@") ? await readInput(value.slice(1)) : value;
  return [name, isJson === "" ? text : readJson(text, name)];
}

import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { SutureError } from "#shared/errors";
import { isRecord } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { SENSITIVE_MASK } from "#shared/masking";
import type { ServedRun, ServedTeam, TeamsPort } from "./teams-port.ts";

/** Tools beside those of the teams, whose names have no underscore. */
const GET_RUN = "suture_get_run";
const CANCEL_RUN = "suture_cancel_run";

const ISSUES_TOLD_MAX = 20;

/** Name of the result's own schema among its definitions. */
const RESULT = "suture_result";
const refToResult = `#/$defs/${RESULT}`;

const runSchema = z.object({
  run_id: z.string(),
  status: z.string().meta({ description: "completed, failed, cancelled and expired are ends" }),
  result: z.unknown(),
  error: z.unknown(),
});
const idSchema = z.object({ run_id: z.string().max(64) });

/**
 * Creates a server with a tool for each team, whose input is the contract of the team's first agent. A run that takes
 * longer than a call may wait is told with its id; `suture_get_run` waits on.
 *
 * @param options.cancelsRuns - Cancels the run of a call that its client cancels. Default: the run goes on.
 */
export function createTeamServer(
  port: TeamsPort,
  { cancelsRuns = false }: { readonly cancelsRuns?: boolean } = {},
): Server {
  const server = new Server({ name: "suture", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({
    tools: [...(await port.listTeams()).map(toTool), ...RUN_TOOLS],
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) =>
    told(() => callTool({ port, cancelsRuns, context }, params.name, params.arguments ?? {})),
  );
  return server;
}

interface Calling {
  readonly port: TeamsPort;
  readonly cancelsRuns: boolean;
  readonly context: ServerContext;
}

async function callTool(calling: Calling, name: string, given: Record<string, unknown>): Promise<ServedRun> {
  const { port } = calling;
  if (name === GET_RUN) return follow(calling, runIdOf(given));
  if (name === CANCEL_RUN) return port.cancel(runIdOf(given));
  const team = (await port.listTeams()).find((one) => one.name === name);
  if (team === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 64)}.`);
  const { run_id } = await port.begin(team.name, isWrapped(team) ? given["input"] : given);
  return follow(calling, run_id);
}

async function follow({ port, cancelsRuns, context }: Calling, runId: string): Promise<ServedRun> {
  const { signal, _meta, notify } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  let progress = 0;
  try {
    return await port.follow(runId, {
      signal,
      onProgress: async (message) => {
        if (progressToken === undefined) return;
        progress += 1;
        await notify({ method: "notifications/progress", params: { progressToken, progress, message } });
      },
    });
  } finally {
    // Nobody reads an answer any more, nor progress that could not be told. A key that may not cancel leaves the run.
    if (signal.aborted && cancelsRuns) await port.cancel(runId).catch(() => undefined);
  }
}

function runIdOf(given: Record<string, unknown>): string {
  const { success, data } = idSchema.safeParse(given);
  if (!success) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "run_id is missing or too long.");
  return data.run_id;
}

/** A refusal is a result that a model can read, and correct; only what it cannot mend is an error of the protocol. */
async function told(work: () => Promise<ServedRun>): Promise<CallToolResult> {
  try {
    const run = await work();
    const isError = ["failed", "cancelled", "expired"].includes(run.status);
    return { content: [{ type: "text", text: describe(run) }], structuredContent: { ...run }, isError };
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    const faults = error.issues
      .slice(0, ISSUES_TOLD_MAX)
      .map(({ path, message }) => `${path || "/"}: ${message}`);
    return {
      content: [{ type: "text", text: [error.message, ...faults, error.remedy].join("\n") }],
      isError: true,
    };
  }
}

function describe({ run_id, status, result, error }: ServedRun): string {
  if (status === "completed") return JSON.stringify(result);
  if (error !== null) return `Run ${run_id}: ${status}. ${JSON.stringify(error)}`;
  return `Run ${run_id}: ${status}. Call ${GET_RUN} with this run_id to wait for its end.`;
}

/** Arguments are an object; a contract that takes something else has it in the field `input`. */
function isWrapped({ inputSchema }: ServedTeam): boolean {
  return inputSchema["type"] !== "object";
}

function toTool(team: ServedTeam): Tool {
  return {
    name: team.name,
    description: team.description,
    inputSchema: toArguments(team),
    outputSchema: team.resultSchema === null ? RUN_SCHEMA : toOutput(team.resultSchema),
    annotations: { openWorldHint: true },
  };
}

function toArguments(team: ServedTeam): Tool["inputSchema"] {
  const { $schema: _dialect, ...schema } = team.inputSchema;
  const { $defs, ...input } = schema;
  const wrapped = {
    type: "object",
    properties: { input },
    required: ["input"],
    ...(isRecord($defs) ? { $defs } : {}),
  };
  // A JSON Schema made of JSON, with the type that the protocol asks for.
  return (isWrapped(team) ? wrapped : schema) as Tool["inputSchema"];
}

/** Returns the schema of a run whose result is null before its end, and `[sensitive]` for a key that may not see it. */
function toOutput(result: JsonSchema): Tool["inputSchema"] {
  const { $schema: _dialect, $defs, ...own } = result;
  const defs = { ...(isRecord($defs) ? $defs : {}), [RESULT]: own };
  // A reference to the whole schema now means the definition.
  const moved: unknown = JSON.parse(JSON.stringify(defs), (key, value: unknown) =>
    key === "$ref" && value === "#" ? refToResult : value,
  );
  return {
    ...RUN_SCHEMA,
    properties: {
      ...RUN_SCHEMA.properties,
      result: { anyOf: [{ $ref: refToResult }, { type: "null" }, { const: SENSITIVE_MASK }] },
    },
    // A JSON Schema made of JSON.
    $defs: moved as JsonSchema,
  };
}

// Written by zod from an object.
const RUN_SCHEMA = z.toJSONSchema(runSchema) as Tool["inputSchema"];
const ID_SCHEMA = z.toJSONSchema(idSchema) as Tool["inputSchema"];

const RUN_TOOLS: readonly Tool[] = [
  {
    name: GET_RUN,
    description: "Waits for the end of a run that was begun before, and returns how it is then.",
    inputSchema: ID_SCHEMA,
    outputSchema: RUN_SCHEMA,
    annotations: { readOnlyHint: true },
  },
  {
    name: CANCEL_RUN,
    description: "Cancels a run, for keys that may.",
    inputSchema: ID_SCHEMA,
    outputSchema: RUN_SCHEMA,
    annotations: { destructiveHint: true },
  },
];

import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { GATEWAY_API } from "#shared/api";
import { SutureError } from "#shared/errors";
import { UnauthorisedError } from "#shared/http";
import { isRecord } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { SENSITIVE_MASK } from "#shared/masking";
import type { Team } from "#shared/runtime";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import type { GatewayCall } from "../gateway.ts";
import { beginTask } from "../runs/begin-task.ts";
import { endRun } from "../runs/start-run.ts";
import { followRun } from "../runs/follow-run.ts";
import { requireScope, teamsFor } from "../tenancy/may-see.ts";
import { findRun } from "../tenancy/see-run.ts";

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

type Call = Pick<GatewayCall, "gateway" | "caller" | "signal" | "mayStill" | "request" | "traceparent">;

interface Calling {
  readonly call: Call;
  readonly cancelsRuns: boolean;
  readonly context: ServerContext;
}

/**
 * Creates a server with a tool for each of the caller's teams, whose input is the entry's contract. A run that outlasts
 * its call is told by id, for `suture_get_run`. @param cancelsRuns - Cancels the run of a cancelled call.
 */
export function createTeamServer(call: Call, cancelsRuns: boolean): Server {
  const server = new Server({ name: "suture", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({
    tools: [...teamsFor(call.gateway, call.caller).map(toTool), ...RUN_TOOLS],
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) =>
    told(() => callTool({ call, cancelsRuns, context }, params.name, params.arguments ?? {})),
  );
  return server;
}

async function callTool(calling: Calling, name: string, given: Record<string, unknown>): Promise<RunRecord> {
  const { gateway, caller } = calling.call;
  if (name === GET_RUN) return follow(calling, runIdOf(given));
  if (name === CANCEL_RUN) return cancel(calling.call, runIdOf(given));
  const team = teamsFor(gateway, caller).find((one) => one.name === name);
  if (team === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 64)}.`);
  requireScope(caller, GATEWAY_API.submitTask.scopes);
  const { run_id } = await beginTask(calling.call, {
    team,
    input: isWrapped(team) ? given["input"] : given,
    idempotency: null,
  });
  return follow(calling, run_id);
}

async function cancel({ gateway, caller }: Call, runId: string): Promise<RunRecord> {
  requireScope(caller, GATEWAY_API.cancelRun.scopes);
  await endRun(gateway, caller, runId);
  return findRun(gateway, caller, runId);
}

/** Waits for a run's end for a bounded time, with progress where the client asked for it. */
async function follow({ call, cancelsRuns, context }: Calling, runId: string): Promise<RunRecord> {
  const { gateway, caller, mayStill } = call;
  const { signal, _meta, notify } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  const wait = { runId, from: 0, forMs: gateway.bounds.waitSecondsMax * 1000 };
  const gone = AbortSignal.any([signal, call.signal]);
  try {
    for await (const params of followRun({ ...call, signal: gone }, wait, toProgress))
      if (progressToken !== undefined)
        await notify({ method: "notifications/progress", params: { progressToken, ...params } });
    if (!mayStill()) throw new UnauthorisedError();
    return await findRun(gateway, caller, runId);
  } finally {
    // Nobody reads an answer any more, nor progress that could not be told. A key that may not cancel leaves the run.
    if (signal.aborted && cancelsRuns) await cancel(call, runId).catch(() => undefined);
  }
}

function toProgress({ type, agent }: RunEvent, _run: RunRecord, position: number) {
  const message = [type.replaceAll("_", " "), ...(agent === null ? [] : [agent])].join(": ");
  return { progress: position + 1, message };
}

function runIdOf(given: Record<string, unknown>): string {
  const { success, data } = idSchema.safeParse(given);
  if (!success) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "run_id is missing or too long.");
  return data.run_id;
}

/** A refusal is a result that a model can read, and correct; only what it cannot mend is an error of the protocol. */
async function told(work: () => Promise<RunRecord>): Promise<CallToolResult> {
  try {
    const { run_id, status, result, error } = await work();
    const run = { run_id, status, result, error };
    const isError = ["failed", "cancelled", "expired"].includes(status);
    return { content: [{ type: "text", text: describe(run) }], structuredContent: run, isError };
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

function describe({ run_id, status, result, error }: z.output<typeof runSchema>): string {
  if (status === "completed") return JSON.stringify(result);
  if (error !== null) return `Run ${run_id}: ${status}. ${JSON.stringify(error)}`;
  return `Run ${run_id}: ${status}. Call ${GET_RUN} with this run_id to wait for its end.`;
}

/** Arguments are an object; a contract that takes something else has it in the field `input`. */
function isWrapped({ entry }: Team): boolean {
  return entry.accepts.jsonSchema["type"] !== "object";
}

function toTool(team: Team): Tool {
  const { name, options } = team;
  return {
    name,
    description: options.description ?? `The team ${name}`,
    inputSchema: toArguments(team),
    outputSchema: options.result === undefined ? RUN_SCHEMA : toOutput(options.result.jsonSchema),
    annotations: { openWorldHint: true },
  };
}

function toArguments(team: Team): Tool["inputSchema"] {
  const { $schema: _dialect, ...schema } = team.entry.accepts.jsonSchema;
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
    $defs: moved,
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

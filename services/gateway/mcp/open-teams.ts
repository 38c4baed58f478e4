import { GATEWAY_API } from "#shared/api";
import { UnauthorisedError } from "#shared/http";
import type { ServedCall, ServedRun, TeamsPort } from "#shared/mcp/serve";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import type { GatewayCall } from "../operation.ts";
import { tracestateOf } from "../operations/request-fields.ts";
import { beginTask, findTeam } from "../runs/begin-task.ts";
import { endRun } from "../runs/end-run.ts";
import { followRun } from "../runs/follow-run.ts";
import { requireScope, teamsFor } from "../tenancy/may-see.ts";
import { findRun } from "../tenancy/see-run.ts";

type Call = Pick<GatewayCall, "gateway" | "caller" | "signal" | "mayStill" | "request" | "traceparent">;

/** Returns the teams and runs that a caller sees, for a server of the Model Context Protocol. */
export function openTeams(call: Call): TeamsPort {
  const { gateway, caller, request, traceparent } = call;
  return {
    listTeams: async () =>
      teamsFor(gateway, caller).map(({ name, entry, options }) => ({
        name,
        description: options.description ?? `The team ${name}`,
        inputSchema: entry.accepts.jsonSchema,
        resultSchema: options.result?.jsonSchema ?? null,
      })),
    async begin(name, input) {
      requireScope(caller, GATEWAY_API.submitTask.scopes);
      return beginTask(gateway, {
        caller,
        team: findTeam(teamsFor(gateway, caller), name, "/name"),
        input,
        options: {},
        trace: { traceparent, tracestate: tracestateOf(request) },
        payloadAt: "",
        idempotency: null,
      });
    },
    follow: (runId, served) => followCall(call, runId, served),
    async cancel(runId) {
      requireScope(caller, GATEWAY_API.cancelRun.scopes);
      await endRun(gateway, caller, runId);
      return toServed(await findRun(gateway, caller, runId));
    },
  };
}

async function followCall(call: Call, runId: string, { signal, onProgress }: ServedCall): Promise<ServedRun> {
  const { gateway, caller, mayStill } = call;
  const follow = { runId, from: 0, forMs: gateway.bounds.waitSecondsMax * 1000 };
  const gone = AbortSignal.any([signal, call.signal]);
  const tell = ({ type, agent }: RunEvent): string =>
    [type.replaceAll("_", " "), ...(agent === null ? [] : [agent])].join(": ");
  for await (const message of followRun({ ...call, signal: gone }, follow, tell)) await onProgress(message);
  if (!mayStill()) throw new UnauthorisedError();
  return toServed(await findRun(gateway, caller, runId));
}

function toServed({ run_id, status, result, error }: RunRecord): ServedRun {
  return { run_id, status, result, error };
}

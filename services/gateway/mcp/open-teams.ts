import { GATEWAY_API } from "#shared/api";
import type { ApiScope } from "#shared/config";
import { now } from "#shared/clock";
import { ForbiddenError, UnauthorisedError } from "#shared/http";
import type { ServedCall, ServedRun, TeamsPort } from "#shared/mcp/serve";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunRecord } from "#shared/store/runs";
import type { GatewayCall } from "../operation.ts";
import { tracestateOf } from "../operations/request-fields.ts";
import { beginTask, findTeam } from "../runs/begin-task.ts";
import { endRun } from "../runs/end-run.ts";
import { watchChanges } from "../runs/watch-changes.ts";
import { teamsFor } from "../tenancy/may-see.ts";
import { eventsPage, findRun } from "../tenancy/see-run.ts";

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
      requireScope(call, GATEWAY_API.submitTask.scopes);
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
    follow: (runId, served) => follow(call, runId, served),
    async cancel(runId) {
      requireScope(call, GATEWAY_API.cancelRun.scopes);
      await endRun(gateway, caller, runId);
      return toServed(await findRun(gateway, caller, runId));
    },
  };
}

/** @throws {ForbiddenError} */
function requireScope({ caller }: Pick<Call, "caller">, scopes: readonly ApiScope[]): void {
  if (caller === null || !scopes.includes(caller.scope))
    throw new ForbiddenError(caller?.scope ?? "", scopes, caller?.name ?? "");
}

async function follow(call: Call, runId: string, { signal, onProgress }: ServedCall): Promise<ServedRun> {
  const { gateway, caller, mayStill } = call;
  const { waitSecondsMax, eventsPage: limit, recheckEveryMs } = gateway.bounds;
  const bell = watchChanges(gateway, runId);
  const untilMs = now() + waitSecondsMax * 1000;
  const gone = AbortSignal.any([signal, call.signal]);
  let from = 0;
  try {
    for (;;) {
      if (!mayStill()) throw new UnauthorisedError();
      const run = await findRun(gateway, caller, runId);
      const events = await eventsPage(gateway, caller, { run, from, limit });
      from += events.length;
      for (const { type, agent } of events)
        await onProgress([type.replaceAll("_", " "), ...(agent === null ? [] : [agent])].join(": "));
      if (events.length > 0) continue;
      const leftMs = untilMs - now();
      if (ENDED_STATUSES.includes(run.status) || leftMs <= 0 || gone.aborted) return toServed(run);
      await bell.wait(Math.min(leftMs, recheckEveryMs), gone);
    }
  } finally {
    bell.stop();
  }
}

function toServed({ run_id, status, result, error }: RunRecord): ServedRun {
  return { run_id, status, result, error };
}

import { PayloadContentError, PayloadInvalidError } from "#shared/contract";
import { RequestInvalidError } from "#shared/http";
import type { Handler } from "../../operation.ts";
import { idempotencyKeyOf, tracestateOf } from "../../operations/request-fields.ts";
import { beginTask } from "../../runs/begin-task.ts";
import { digestRequest } from "../../runs/digest-request.ts";
import { boundQuery } from "../../runs/original-query.ts";
import { teamsFor } from "../../tenancy/may-see.ts";
import { readInput } from "../read-input.ts";
import { readTask } from "../read-task.ts";

/** A task of the protocol is a run: checked, sealed and accepted before the answer. Agents do not wait for more. */
export const createTask: Handler<"createAgentTask"> = async ({
  gateway,
  body,
  request,
  caller,
  traceparent,
}) => {
  const { agentProtocolTeam } = gateway;
  const { team, payload, placeOf } = readInput(teamsFor(gateway, caller), body, {
    teamDefault: agentProtocolTeam,
  });
  const key = idempotencyKeyOf(request);
  const run = await beginTask(gateway, {
    team,
    caller,
    input: payload,
    options: {},
    trace: { traceparent, tracestate: tracestateOf(request) },
    ...(typeof body.input === "string" ? { originalQuery: boundQuery(body.input) } : {}),
    payloadAt: "",
    idempotency:
      key === null
        ? null
        : { caller: caller?.name ?? "", key, digest: digestRequest("createAgentTask", body) },
  }).catch((error: unknown) => {
    throw atItsPlace(error, placeOf);
  });
  const { task } = await readTask(gateway, caller, run.run_id);
  return task;
};

/** Faults of the payload, at the places of the request that the client knows. */
function atItsPlace(error: unknown, placeOf: (path: string) => string): unknown {
  const isOfPayload =
    error instanceof PayloadInvalidError ||
    error instanceof PayloadContentError ||
    error instanceof RequestInvalidError;
  if (!isOfPayload) return error;
  return new RequestInvalidError(error.issues.map((issue) => ({ ...issue, path: placeOf(issue.path) })));
}

import { TENANT_DEFAULT } from "#shared/config";
import { toProblem } from "#shared/http";
import { answerReplay, readReplays } from "#shared/people";
import type { ReplayAnswer, ReplayOrder } from "#shared/people";
import { newTraceparent } from "#shared/telemetry";
import { STATUS_BY_CODE } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import { replayMessage } from "./replay-message.ts";

/** Carries out the replays that people ordered in the console. Two gateways that take one order begin one run. */
export async function carryOutReplays(gateway: Gateway): Promise<void> {
  for (const { id, order } of await readReplays(gateway.store))
    await answerReplay(gateway.store, id, await carryOut(gateway, id, order));
}

/** Only the console writes orders, and it has checked that who gave it may. */
async function carryOut(gateway: Gateway, id: string, order: ReplayOrder): Promise<ReplayAnswer> {
  const { run_id: runId, message_id, data_payload, by: name } = order;
  const caller = { name, tenant: TENANT_DEFAULT, scope: "operator", teams: null, quotas: {} } as const;
  const call = { gateway, caller, traceparent: newTraceparent(), request: { headers: {} } };
  const idempotency = { caller: name, key: `replay:${id}`, digest: id };
  try {
    return await replayMessage(call, { runId, message_id, data_payload, idempotency });
  } catch (error) {
    return toProblem(error, { traceId: null, statusByCode: STATUS_BY_CODE }).problem;
  }
}

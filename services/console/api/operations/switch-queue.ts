import { orderPause } from "#shared/people";
import { lanesOf, measureQueues } from "../../live/measure.ts";
import { AbsentError } from "../../errors.ts";
import { auditAction } from "../guards/audit-action.ts";
import type { Handler } from "../operation.ts";

/** Both lanes of an agent, or the surgeon's (`ward`), stop giving out messages; what is in hand ends. */
export const pauseQueue = switchTo("pause");

export const resumeQueue = switchTo("resume");

function switchTo(action: "pause" | "resume"): Handler<"pauseQueue"> {
  return async ({ console, params, body, caller }) => {
    const { store, teams } = console;
    const lanes = lanesOf(teams).filter(({ agent }) => agent === params.agent);
    if (lanes.length === 0) throw new AbsentError("agent");
    const detail = { agent: params.agent };
    await auditAction(store, { by: caller.name, action: `queue.${action}`, why: body.why, detail });
    // Before the queues are touched: whoever works for the agent makes them as the order says.
    const order = { agent: params.agent, is_paused: action === "pause", by: caller.name };
    await console.orders.remember(await orderPause(console, order));
    for (const { agent, lane } of lanes) await store.queues.of(agent, lane)[action]();
    const queues = await measureQueues(console);
    return { queues: queues.filter(({ agent }) => agent === params.agent) };
  };
}

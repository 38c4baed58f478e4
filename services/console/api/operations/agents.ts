import { describeAgents, viewHandoffs } from "#shared/api";
import { orderPause } from "#shared/people";
import { AbsentError } from "#shared/http";
import { auditAction } from "../../audit/audit-changes.ts";
import { lanesOf, measureQueues } from "../../live/measure.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { Handler } from "../../console.ts";

export const listAgents: Handler<"listAgents"> = async ({ console, caller: { teams } }) => ({
  agents: describeAgents(console.teams, await console.store.registry.live()).filter(
    ({ agent }) => teams === null || hasGroup(console, agent),
  ),
});

/** Who may send what to whom in each team, and what became of it. */
export const listHandoffs: Handler<"listHandoffs"> = ({
  console: { store, teams },
  query: { span },
  caller,
}) => viewHandoffs(store, { teams, isOfAll: caller.teams === null, span });

/** How much of what each agent, contract, model and prompt version makes is malformed; the worst first. */
export const listRates: Handler<"listRates"> = async ({ console, query }) => ({
  span: query.span,
  producers: await console.store.rates.producers(query.span),
});

export const listQueues: Handler<"listQueues"> = async ({ console }) => ({
  queues: await measureQueues(console),
});

/** Both lanes of an agent, or the surgeon's (`ward`), stop giving out messages; what is in hand ends. */
export const pauseQueue = switchQueue("pause");

export const resumeQueue = switchQueue("resume");

function switchQueue(action: "pause" | "resume"): Handler<"pauseQueue"> {
  return async ({ console, params, body, caller }) => {
    const { store, teams } = console;
    const lanes = lanesOf(teams).filter(({ agent }) => agent === params.agent);
    if (lanes.length === 0) throw new AbsentError("agent");
    const detail = { agent: params.agent };
    await auditAction(store, { by: caller.name, action: `queue.${action}`, why: body.why, detail });
    // Before the queues are touched: whoever works for the agent makes them as the order says.
    const order = { agent: params.agent, is_paused: action === "pause", by: caller.name };
    await orderPause(store, order);
    for (const { queues } of store.shards)
      for (const { agent, lane } of lanes) await queues.of(agent, lane)[action]();
    const queues = await measureQueues(console);
    return { queues: queues.filter(({ agent }) => agent === params.agent) };
  };
}

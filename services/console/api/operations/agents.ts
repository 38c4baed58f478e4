import { describeAgents, viewHandoffs } from "#shared/api";
import { orderPause } from "#shared/people";
import { AbsentError } from "#shared/http";
import { auditAction } from "../../audit/audit-changes.ts";
import { lanesOf, measureQueues } from "../../live/measure.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { CallOf, Handler } from "../../console.ts";

export const listAgents: Handler<"listAgents"> = async ({ console, caller: { teams } }) => ({
  agents: describeAgents(console.teams, await console.store.registry.live()).filter(
    ({ agent }) => teams === null || hasGroup(console, agent),
  ),
});

/** Lists the handoffs of each team with their results. */
export const listHandoffs: Handler<"listHandoffs"> = ({ console: { store, teams }, query, caller }) =>
  viewHandoffs(store, { teams, isOfAll: caller.teams === null, span: query.span });

/** Lists the share of malformed output by agent, contract, model and prompt version, the worst first. */
export const listRates: Handler<"listRates"> = async ({ console, query }) => ({
  span: query.span,
  producers: await console.store.rates.producers(query.span),
});

export const listQueues: Handler<"listQueues"> = async ({ console }) => ({
  queues: await measureQueues(console),
});

/** Both lanes of an agent, or the surgeon's (`ward`), stop giving out messages; what is in hand ends. */
export const pauseQueue: Handler<"pauseQueue"> = (call) => switchQueue(call, "pause");

export const resumeQueue: Handler<"resumeQueue"> = (call) => switchQueue(call, "resume");

async function switchQueue(
  { console, params: { agent }, body: { why }, caller }: CallOf<"pauseQueue">,
  action: "pause" | "resume",
): ReturnType<Handler<"pauseQueue">> {
  const { store, teams } = console;
  const lanes = lanesOf(teams).filter((one) => one.agent === agent);
  if (lanes.length === 0) throw new AbsentError("agent");
  await auditAction(store, { by: caller.name, action: `queue.${action}`, why, detail: { agent } });
  // Before the queues are touched: whoever works for the agent makes them as the order says.
  await orderPause(store, { agent, is_paused: action === "pause", by: caller.name });
  for (const { queues } of store.shards) for (const { lane } of lanes) await queues.of(agent, lane)[action]();
  const queues = await measureQueues(console);
  return { queues: queues.filter((one) => one.agent === agent) };
}

import { describeAgents, viewHandoffs } from "#shared/api";
import type { AnswerOf, ConsoleApi } from "#shared/api";
import { now } from "#shared/clock";
import { CIRCUIT_POLICY_DEFAULT } from "#shared/feedback";
import type { CircuitPolicy } from "#shared/feedback";
import { asOrdered, orderCircuit, orderPause, readCircuitOrders } from "#shared/people";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { CircuitDetail } from "#shared/store/feedback";
import { auditAction } from "../../audit/audit-changes.ts";
import { AbsentError, ChangedMeanwhileError } from "../../errors.ts";
import { lanesOf, measureQueues } from "../../live/measure.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { Handler } from "../../console.ts";

export const listAgents: Handler<"listAgents"> = async ({ console, caller: { teams } }) => ({
  agents: describeAgents(console.teams, await console.store.registry.live()).filter(
    ({ agent }) => teams === null || hasGroup(console, agent),
  ),
});

/** Who may send what to whom in each team, and what became of it. */
export const listHandoffs: Handler<"listHandoffs"> = ({ console: { store, teams }, query: { span } }) =>
  viewHandoffs(store, { teams, span });

/** How much of what each agent, contract, model and prompt version makes is malformed; the worst first. */
export const listRates: Handler<"listRates"> = async ({ console, query }) => ({
  span: query.span,
  producers: await console.store.rates.read(query.span),
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

/** The circuits of all agents that a process has spoken of in the last week, with what their teams declare. */
export const listCircuits: Handler<"listCircuits"> = async ({ console, caller: { teams } }) => ({
  circuits: (await listCircuitViews(console)).filter(
    ({ agent }) => teams === null || hasGroup(console, agent),
  ),
});

/** It stays open, with what its team declared for that, until somebody closes it. */
export const openCircuit = switchCircuit("open");

/** Its agent works as usual; too much malformed output opens it again. */
export const closeCircuit = switchCircuit("close");

/**
 * The order holds for every process; the circuit's record follows it, with the audit, in one script.
 * `version` is the generation that somebody looked at.
 */
function switchCircuit(action: "open" | "close"): Handler<"openCircuit"> {
  return async ({ console, params: { agent }, body: { why, version }, caller }) => {
    const { store } = console;
    const { circuits } = store;
    const found = await circuits.find(agent);
    if (found === null) throw new AbsentError("circuit");
    if (version !== undefined && version !== found.generation) {
      const state = found.state.replace("_", " ");
      throw new ChangedMeanwhileError({ what: "circuit", state, by: found.held_by });
    }
    const by = caller.name;
    // Before the circuit is touched: who reads it takes it as the order says.
    await orderCircuit(store, { agent, is_open: action === "open", by });
    await circuits.set({ agent, to: action === "open" ? "open" : "closed", by, why });
    return (await circuits.find(agent)) ?? found;
  };
}

/** A circuit as people see it. */
type CircuitView = AnswerOf<ConsoleApi["listCircuits"]>["circuits"][number];

/** Every circuit that a process has spoken of in the last week: what is not closed first, then by name. */
async function listCircuitViews(console: {
  readonly store: Store;
  readonly teams: readonly Team[];
}): Promise<CircuitView[]> {
  const found = await console.store.circuits.list();
  const circuits = asOrdered(found, await readCircuitOrders(console.store));
  const views = await Promise.all(circuits.map((circuit) => viewCircuit(console, circuit)));
  return views.toSorted((a, b) => Number(a.state === "closed") - Number(b.state === "closed"));
}

async function viewCircuit(
  { store, teams }: { readonly store: Store; readonly teams: readonly Team[] },
  circuit: CircuitDetail,
): Promise<CircuitView> {
  const team = teams.find((one) => one.agents.has(circuit.agent));
  const policy = team === undefined ? null : (team.circuits.get(circuit.agent) ?? CIRCUIT_POLICY_DEFAULT);
  const sinceMs = circuit.state === "closed" ? now() - (policy ?? CIRCUIT_POLICY_DEFAULT).windowMs : 0;
  const counted = await store.circuits.countedSince(circuit.agent, sinceMs);
  return { ...circuit, declared: policy === null ? null : toDeclared(policy), counted };
}

function toDeclared(policy: CircuitPolicy): NonNullable<CircuitView["declared"]> {
  const { threshold, outputsMin, windowMs, cooldownMs, trialShare, trialOutputs } = policy;
  return {
    threshold,
    outputs_min: outputsMin,
    window_ms: windowMs,
    cooldown_ms: cooldownMs,
    trial_share: trialShare,
    trial_outputs: trialOutputs,
  };
}

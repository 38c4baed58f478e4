import type { AnswerOf, ConsoleApi } from "#shared/api";
import { now } from "#shared/clock";
import { CIRCUIT_POLICY_DEFAULT } from "#shared/feedback";
import type { CircuitPolicy } from "#shared/feedback";
import type { OrderedCircuits } from "#shared/people";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { CircuitDetail } from "#shared/store/feedback";

/** A circuit as people see it. */
type CircuitView = AnswerOf<ConsoleApi["listCircuits"]>["circuits"][number];

/** Every circuit that a process has spoken of in the last week: what is not closed first, then by name. */
export async function listCircuitViews(console: {
  readonly store: Store;
  readonly teams: readonly Team[];
  readonly circuits: OrderedCircuits;
}): Promise<CircuitView[]> {
  const circuits = await console.circuits.apply(await console.store.circuits.list());
  const views = await Promise.all(circuits.map((circuit) => view(console, circuit)));
  return views.toSorted((a, b) => Number(a.state === "closed") - Number(b.state === "closed"));
}

async function view(
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

import { timestamp } from "#shared/clock";
import { agentNameOf } from "#shared/envelope";
import type { JsonValue } from "#shared/schema";
import type { StoredCase } from "#shared/store/cases";
import { findSecondPersonProblem, proveByHand } from "#shared/ward/decisions";
import { toWardCase } from "#shared/ward";
import type { Decision, Proposal } from "#shared/ward/decisions";
import type { OperationRecord, Remedy } from "#shared/ward/moves";
import { findUnknown } from "../cases/case.ts";
import { freeAttempt, operationOf } from "../propose/procedure.ts";
import type { RepairContext } from "../cases/case.ts";
import { agentIdOf } from "../cases/send-on.ts";
import type { Surgery } from "../surgery.ts";

/** The effect of a person's decision. */
type Plan =
  | { readonly remedy: Remedy; readonly operation: OperationRecord | null }
  /** The change needs a second person. */
  | { readonly proposal: Proposal }
  | { readonly problem: string };

/** Plans what a release, approval or redirection sends; proves a new value like any repair. */
export function planRemedy(surgery: Surgery, context: RepairContext, decision: Decision): Plan {
  if (decision.kind === "redirect") return planRedirect(surgery, context, decision.to ?? "");
  const proposed = findProposed(context.stored, decision);
  if (proposed !== null && "problem" in proposed) return proposed;
  const { payload } = proposed ?? decision;
  if (payload === undefined) return { remedy: {}, operation: null };
  const unknown = findUnknown(surgery, context.message.record);
  if (unknown !== null) return { problem: `${unknown} It cannot check the new value.` };
  // The console accepts JSON only.
  const value = JSON.parse(payload) as JsonValue;
  const { proof, objections, secondPerson: paths } = proveByHand(context, value);
  if (objections.length > 0) {
    const places = objections.slice(0, 10).map(({ path, code }) => `${path || "/"} (${code})`);
    return { problem: `The new value is not acceptable at ${places.join(", ")}.` };
  }
  if (paths.length > 0 && proposed === null) {
    const { by, person, why } = decision;
    return { proposal: { by, person, why, at: timestamp(), payload, paths } };
  }
  const by = proposed === null ? decision.by : `${proposed.by} and ${decision.by}`;
  return {
    remedy: { value, ...(context.contractId === "" ? {} : { contract: context.contractId }) },
    operation: operationOf(context, [freeAttempt("person", decision.why, proof)], by),
  };
}

/** Returns what the first of two people proposed; null if the decision is no approval. */
function findProposed(
  stored: StoredCase,
  decision: Decision,
): Proposal | { readonly problem: string } | null {
  if (decision.kind !== "approve") return null;
  const { proposal } = toWardCase(stored);
  const problem = findSecondPersonProblem(proposal, decision);
  return problem === null ? proposal : { problem: `It cannot be approved: ${problem}.` };
}

function planRedirect(surgery: Surgery, context: RepairContext, name: string): Plan {
  const { record, envelope } = context.message;
  const team = surgery.teams.find((one) => one.name === record.team);
  const to = agentIdOf(team, name);
  if (to === null) return { problem: `Its team has no agent called ${name.slice(0, 64)}.` };
  const accepts = team?.agents.get(name)?.accepts.name;
  if (accepts !== agentNameOf(envelope.meta.contract))
    return { problem: `${to} does not accept its contract.` };
  return { remedy: { to }, operation: null };
}

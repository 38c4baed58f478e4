import { timestamp } from "#shared/clock";
import type { Store } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import { CaseChangedError, DecisionRefusedError } from "../errors.ts";
import { moveCase } from "../moves/move-case.ts";
import { toWardCase } from "../ward-case.ts";
import { findMessageProblem, readSeen } from "./decide.ts";
import type { DecideRequest } from "./decide.ts";
import { digestOfProposal } from "./decision.ts";
import type { Proposal } from "./decision.ts";

/** A proposal or its refusal: by whom, and the version of the case that they saw. Default: the present one. */
type Asked = Pick<DecideRequest, "case_id" | "by" | "why" | "version">;

/**
 * Records a proposed decision on a quarantined case; nothing goes out before somebody approves it, which makes it their
 * decision. Replaces an earlier proposal, but no change that waits for a second person.
 *
 * @returns The digest of the proposal.
 * @throws {NotFoundError | DecisionRefusedError | CaseChangedError}
 */
export async function propose(
  store: Store,
  asked: Asked & Pick<DecideRequest, "payload"> & Required<Omit<Proposal, "payload" | "at">>,
): Promise<string> {
  const { case_id, by, person, why, decision, payload, paths } = asked;
  const from = await readSeen(store, asked);
  const { status, decision: pending, proposal: waiting } = toWardCase(from);
  const refuse = (problem: string): never => {
    throw new DecisionRefusedError(case_id, problem);
  };
  if (status !== "quarantined") refuse(`it is ${status}`);
  if (pending !== null) refuse(`${pending.by} has decided to ${pending.kind} it, and that is under way`);
  if (waiting !== null && waiting.decision === undefined) refuse("a change of it waits for a second person");
  const unread = decision === "release" ? findMessageProblem(from) : null;
  if (unread !== null) refuse(unread);
  const value = payload === undefined ? {} : { payload };
  const proposal: Proposal = { by, person, why, at: timestamp(), decision, ...value, paths };
  await note(store, from, { ...asked, action: "propose", detail: { decision }, proposal });
  return digestOfProposal(proposal);
}

/** Removes the proposal of a case. @throws {NotFoundError | DecisionRefusedError | CaseChangedError} */
export async function decline(store: Store, asked: Asked): Promise<void> {
  const from = await readSeen(store, asked);
  const { proposal, decision } = toWardCase(from);
  if (proposal === null || decision !== null)
    throw new DecisionRefusedError(asked.case_id, "no proposal waits for a signature");
  await note(store, from, {
    ...asked,
    action: "decline",
    detail: { proposed_by: proposal.by },
    proposal: null,
  });
}

/** Changes the proposal of a case, and nothing else of it. */
async function note(
  store: Store,
  from: StoredCase,
  did: Pick<Asked, "by" | "why"> & {
    readonly action: string;
    readonly detail: Readonly<Record<string, unknown>>;
    readonly proposal: Proposal | null;
  },
): Promise<void> {
  const { proposal, by, why, action, detail } = did;
  const changed = proposal === null ? { removes: ["proposal"] as const } : { sets: { proposal } };
  const isMoved = await moveCase(store, { from, to: from.status, by, why, action, detail, ...changed });
  if (!isMoved) throw new CaseChangedError(from.case_id);
}

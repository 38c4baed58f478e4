import { timestamp } from "#shared/clock";
import { parseJson } from "#shared/envelope/json";
import type { Store } from "#shared/store";
import type { CaseStatus, StoredCase } from "#shared/store/cases";
import { recordOf } from "../case-record.ts";
import { AdmissionInvalidError, CaseChangedError, DecisionRefusedError } from "../errors.ts";
import { assertRunGoesOn } from "../moves/change-status.ts";
import { DECISION_KINDS, digestOfProposal, isAnotherPerson } from "./decision.ts";
import type { Decision, DecisionKind, Proposal } from "./decision.ts";
import { moveCase } from "../moves/move-case.ts";
import { readAdmission } from "../admission/read-admission.ts";
import { latestAdmission, toWardCase } from "../ward-case.ts";
import type { WardCase } from "../ward-case.ts";

export interface DecideRequest {
  readonly case_id: string;
  readonly decision: DecisionKind;
  /** Name of the person who decides. */
  readonly by: string;
  /** Identity of the person, the same for all their API keys; null if unknown. Default: `by`. */
  readonly person?: string | null;
  readonly why: string;
  /** For `release`: the subject's new value as JSON text. */
  readonly payload?: string | undefined;
  /** For `redirect`: the agent's plain name. */
  readonly to?: string;
  /** Version of the case that the person saw (compare-and-set). Default: the present one. */
  readonly version?: number | undefined;
  /** For `approve`: digest of the proposal that the person saw. Default: the present one. */
  readonly proposal?: string | undefined;
  readonly batch_id?: string;
}

const PAYLOAD_CHARS_MAX = 1_048_576;

/** Case statuses in which each decision is allowed. */
const ALLOWED: Readonly<Record<DecisionKind, readonly CaseStatus[]>> = {
  operate: ["quarantined", "admitted"],
  release: ["quarantined", "admitted"],
  redirect: ["quarantined", "admitted"],
  approve: ["quarantined"],
  discard: ["quarantined", "admitted"],
  restore: ["discarded"],
};

/** Decisions that need to read the message and send it on. */
const NEED_MESSAGE: ReadonlySet<DecisionKind> = new Set(["operate", "release", "redirect", "approve"]);

/**
 * Records a person's decision on a case, and queues a job for the surgeon, who carries it out: only the surgeon seals
 * and sends messages.
 *
 * @returns The case with the decision.
 * @throws {NotFoundError} No such case.
 * @throws {DecisionRefusedError} It is not allowed in the case's status, or lacks an argument.
 * @throws {CaseChangedError} The case has changed since the person saw it.
 */
export async function decide(store: Store, request: DecideRequest): Promise<WardCase> {
  const from = await readSeen(store, request);
  const decision = toDecision(request, from);
  await assertFits(store, from, decision);
  const isMoved = await moveCase(store, {
    from,
    to: from.status,
    by: request.by,
    action: `decide.${decision.kind}`,
    why: request.why,
    detail: {
      edited: decision.payload !== undefined,
      ...(decision.kind === request.decision ? {} : { proposed_by: toWardCase(from).proposal?.by }),
      ...(decision.to === undefined ? {} : { to: decision.to }),
    },
    sets: {
      decision,
      // Lets the batch detect whether the message died again since.
      batch:
        decision.batch_id === undefined
          ? undefined
          : { id: decision.batch_id, messages: recordOf(from).messages },
    },
    wake: { delayMs: 0 },
  });
  if (!isMoved) throw new CaseChangedError(from.case_id);
  return toWardCase(await store.cases.get(from.case_id));
}

/** Returns a case, unless it has changed since the version that was seen. @throws {NotFoundError | CaseChangedError} */
export async function readSeen(
  store: Store,
  { case_id, version }: Pick<DecideRequest, "case_id" | "version">,
): Promise<StoredCase> {
  const from = await store.cases.get(case_id);
  if (from.archived === true) throw new DecisionRefusedError(case_id, "it has left Redis for the archive");
  if (version !== undefined && version !== from.version) throw new CaseChangedError(case_id);
  return from;
}

function toDecision(request: DecideRequest, from: StoredCase): Decision {
  const { proposal: waiting } = toWardCase(from);
  const present = waiting === null ? null : digestOfProposal(waiting);
  const { proposal = present } = request;
  // The person who signs a proposal decides it in their own name.
  const isSigned = request.decision === "approve" && waiting?.decision !== undefined && proposal === present;
  const signed: Partial<Proposal> = isSigned ? waiting : {};
  const { decision: kind = request.decision, payload = request.payload } = signed;
  return {
    kind,
    by: request.by,
    person: request.person === undefined ? request.by : request.person,
    why: request.why,
    at: timestamp(),
    ...(payload === undefined ? {} : { payload }),
    ...(request.to === undefined ? {} : { to: request.to }),
    ...(kind === "approve" && proposal !== null ? { proposal } : {}),
    ...(request.batch_id === undefined ? {} : { batch_id: request.batch_id }),
  };
}

/** Returns what may be decided about a case now. @param isReadable - Its message verified, and can be read. */
export function decisionsFor(
  { status, decision, proposal, archived }: Pick<WardCase, "status" | "decision" | "proposal" | "archived">,
  isReadable: boolean,
): DecisionKind[] {
  if (decision !== null || archived === true) return [];
  return DECISION_KINDS.filter(
    (kind) =>
      ALLOWED[kind].includes(status) &&
      (isReadable || !NEED_MESSAGE.has(kind)) &&
      (kind !== "approve" || proposal !== null),
  );
}

async function assertFits(store: Store, from: StoredCase, decision: Decision): Promise<void> {
  const refuse = (problem: string): never => {
    throw new DecisionRefusedError(from.case_id, problem);
  };
  const { status, decision: pending, proposal, unreadable } = toWardCase(from);
  if (unreadable.length > 0 && decision.kind !== "discard")
    refuse(`its record cannot be read at ${unreadable.join(", ")}`);
  if (!ALLOWED[decision.kind].includes(status)) refuse(`it is ${status}`);
  if (pending !== null) refuse(`${pending.by} has decided to ${pending.kind} it, and that is under way`);
  const unread = NEED_MESSAGE.has(decision.kind) ? findMessageProblem(from) : null;
  if (unread !== null) refuse(unread);
  if (decision.by.trim() === "") refuse("nobody is named as deciding");
  if (decision.kind === "redirect" && decision.to === undefined) refuse("no agent is named");
  if (decision.payload !== undefined && decision.kind !== "release")
    refuse("only a release takes a new value");
  if ((decision.payload?.length ?? 0) > PAYLOAD_CHARS_MAX) refuse("the new value is too large");
  if (decision.payload !== undefined && !isJson(decision.payload))
    refuse("the new value is not JSON, or an object of it has a name twice");
  if (decision.kind === "approve") {
    const problem = findSecondPersonProblem(proposal, decision);
    if (problem !== null) refuse(problem);
  }
  if (decision.kind === "restore") await assertRunGoesOn(store, from);
}

/** Returns why an approval cannot confirm the change that waits; null if it can. */
export function findSecondPersonProblem(proposal: Proposal | null, approval: Decision): string | null {
  if (proposal === null) return "no change waits for a second person";
  if (digestOfProposal(proposal) !== approval.proposal)
    return "another change waits than the one that was looked at";
  return isAnotherPerson(proposal, approval)
    ? null
    : "the second person has to be another one, and both known by keys of their own";
}

/** Returns why no surgeon can read the message of a case; null if unknown. Only a surgeon can verify its seal. */
export function findMessageProblem(from: StoredCase): string | null {
  const admission = latestAdmission(from);
  if (admission === null) return "its message is not kept here, so that it can only be discarded";
  try {
    const isUnread = readAdmission(admission).bytes === null;
    return isUnread
      ? "its message never verified and nobody has read it, so that it can only be discarded"
      : null;
  } catch (error) {
    if (!(error instanceof AdmissionInvalidError)) throw error;
    return "its message cannot be read by this release, so that it can only be discarded";
  }
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

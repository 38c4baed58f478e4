import type { Issue } from "#shared/errors";
import { maskSecrets } from "#shared/guard";
import { RequestInvalidError } from "#shared/http";
import { SENSITIVE_MASK } from "#shared/masking";
import { cheapestReading, findCases, getCase } from "#shared/ward";
import { decide, decline, propose, proveByHand } from "#shared/ward/decisions";
import type { WardCase } from "#shared/ward";
import type { DecisionKind } from "#shared/ward/decisions";
import { auditAction } from "../../audit/audit-changes.ts";
import type { CallOf, Console, Handler } from "../../console.ts";
import { MessageUnreadableError, NoApprovalError } from "../../errors.ts";
import { readTyped } from "../../masking/masks.ts";
import { findApproval, readMessage } from "../../ward/read-message.ts";
import { contractOf, openCase, takersOf, viewCase } from "../../ward/view-case.ts";

/** Cases that meet every filter, newest first. */
export const listCases: Handler<"listCases"> = async ({ console, query, caller: { teams } }) => {
  const { cursor = null, limit, ...asked } = query;
  const filter = teams === null ? asked : { ...asked, teams };
  const found = await findCases(console.store, { filter, cursor, limit });
  // A whole search would read everybody's cases.
  const total = teams === null ? found.total : found.searched;
  return { ...found, total, cases: found.cases.map(withoutPayloads) };
};

/** Masks payloads that people wrote: they are shown with their case alone, whose contract says what is sensitive. */
function withoutPayloads(one: WardCase): WardCase {
  const hide = <Written extends { readonly payload?: string }>(written: Written | null): Written | null =>
    written?.payload === undefined ? written : { ...written, payload: SENSITIVE_MASK };
  return { ...one, proposal: hide(one.proposal), decision: hide(one.decision) };
}

export const showCase: Handler<"showCase"> = async ({ console, params }) =>
  viewCase(console, await getCase(console.store, params.case_id), null);

/**
 * Shows a case with the values that its contract marks as sensitive, all of them or those at one place; secrets stay
 * masked. The record of what people did and the audit have who looked, when, at what and why before anything is shown.
 */
export const revealCase: Handler<"revealCase"> = async ({ console, params, body, caller }) => {
  const { why, path } = body;
  console.reveals.take(caller.person ?? caller.name);
  const found = await getCase(console.store, params.case_id);
  const detail = path === undefined ? {} : { path };
  await auditAction(console.store, { ...params, by: caller.name, action: "case.reveal", why, detail });
  return viewCase(console, found, path ?? "");
};

/** Says what a release with this value would meet. Changes nothing. */
export const checkPayload: Handler<"checkPayload"> = async ({ console, params, body }) =>
  (await checkProposal(console, params.case_id, valueFrom(body))).check;

/** Records a decision that somebody else is to sign. A value that may not leave is refused, with every fault. */
export const proposeCase: Handler<"proposeCase"> = async ({ console, params, body, caller }) => {
  const { decision, why, version } = body;
  const judged =
    decision === "discard" ? null : await checkAcceptable(console, params.case_id, valueFrom(body));
  const proposal = await propose(console.store, {
    ...params,
    by: caller.name,
    person: caller.person,
    why,
    decision,
    payload: judged?.payload,
    paths: [...(judged?.check.second_person ?? [])],
    version,
  });
  return { ...params, proposal, check: judged?.check ?? null };
};

/** Removes what was proposed. */
export const declineCase: Handler<"declineCase"> = async ({ console, params, body, caller }) => {
  const { why, version } = body;
  await decline(console.store, { ...params, by: caller.name, why, version });
  return params;
};

/**
 * Sends a message on, as it is or with another value. A value that its contract refuses is refused here, with every
 * fault; the surgeon holds it against the same once more, and signs.
 */
export const releaseCase: Handler<"releaseCase"> = async (call) => {
  const typed = payloadTextFrom(call.body);
  if (typed === undefined) return decideAs("release", call);
  const { payload } = await checkAcceptable(call.console, call.params.case_id, typed);
  return decideAs("release", call, { payload });
};

/** The refusal of a person's new value. */
export function payloadRefused(issues: readonly Issue[]): RequestInvalidError {
  return new RequestInvalidError(issues.map((issue) => ({ ...issue, path: `/payload${issue.path}` })));
}

/** Sends a message to another agent that takes its contract. */
export const redirectCase: Handler<"redirectCase"> = async (call) => {
  const { agent } = call.body;
  await checkRedirect(call.console, { caseId: call.params.case_id, agent });
  return decideAs("redirect", call, { to: agent });
};

/**
 * Checks a redirect's target against the message's team, as the surgeon will, which judges teams not loaded here.
 * @throws {NotFoundError} No such case. {RequestInvalidError} The agent is unknown, or takes another contract.
 */
export async function checkRedirect(
  { store, teams }: Pick<Console, "store" | "teams">,
  redirect: { readonly caseId: string; readonly agent: string },
): Promise<void> {
  const detail = await getCase(store, redirect.caseId);
  const team = teams.find(({ name }) => name === detail.team);
  const contract = contractOf(readMessage(detail.admissions.at(-1)));
  // A case without a readable message is refused with the decision itself.
  if (team === undefined || contract === undefined) return;
  const takers = takersOf(team, contract);
  if (takers.includes(redirect.agent)) return;
  const code = team.agents.has(redirect.agent) ? "other_contract" : "unknown_agent";
  const message = `agents of ${team.name} that accept ${contract}: ${takers.join(", ")}`;
  throw new RequestInvalidError([{ path: "/agent", code, message }]);
}

/** Ends a case without its message going on. */
export const discardCase: Handler<"discardCase"> = (call) => decideAs("discard", call);

/** Undoes a discard, while its run goes on. */
export const restoreCase: Handler<"restoreCase"> = (call) => decideAs("restore", call);

/** Has the ladder try again. */
export const operateCase: Handler<"operateCase"> = (call) => decideAs("operate", call);

/** Signs what was proposed, or stands for another person's change. `proposal` is the digest of what they looked at. */
export const approveCase: Handler<"approveCase"> = (call) =>
  decideAs("approve", call, { proposal: call.body.proposal });

/**
 * A person's word on the tool call that a message waits with. The message goes on to its agent with the decision; the
 * call is the one of the case, so that nobody approves another by a slip of the hand.
 */
export const decideApproval: Handler<"decideApproval"> = async (handled) => {
  const { console, params, body } = handled;
  const call = findApproval(readMessage((await getCase(console.store, params.case_id)).admissions.at(-1)));
  if (call === null) throw new NoApprovalError(params.case_id);
  const payload = JSON.stringify({ call, approved: body.approved, note: body.why });
  return decideAs("release", handled, { payload });
};

/** Decides about a case in its caller's name; with `version` only if nobody changed it since that one. */
async function decideAs(
  decision: DecisionKind,
  { console, params, body: { why, version }, caller: { name: by, person } }: CallOf<"discardCase">,
  more: Partial<Pick<Parameters<typeof decide>[1], "payload" | "to" | "proposal">> = {},
): ReturnType<typeof decide> {
  const request = { ...params, decision, by, person, why, version, ...more };
  return withoutPayloads(await decide(console.store, request));
}

/** The new value as JSON text; undefined where there is none. */
export function payloadTextFrom(body: {
  readonly payload?: unknown;
  readonly payload_text?: string;
}): string | undefined {
  return body.payload_text ?? (body.payload === undefined ? undefined : JSON.stringify(body.payload));
}

/** As above. @throws {RequestInvalidError} There is none. */
function valueFrom(body: Parameters<typeof payloadTextFrom>[0]): string {
  const typed = payloadTextFrom(body);
  if (typed !== undefined) return typed;
  throw new RequestInvalidError([{ path: "/payload", code: "invalid_type", message: "a value is needed" }]);
}

/** As below. @throws {RequestInvalidError} It may not leave, for all of these reasons. */
async function checkAcceptable(console: Console, caseId: string, typed: string) {
  const judged = await checkProposal(console, caseId, typed);
  if (judged.check.issues.length > 0) throw payloadRefused(judged.check.issues);
  return judged;
}

/**
 * Checks a person's new value as the surgeon will. @param typed - JSON text: digits stay as they are.
 * @returns What would become of it; and the JSON text to release, with secrets put back where they were masked.
 * @throws {NotFoundError | MessageUnreadableError}
 */
async function checkProposal({ store, teams }: Console, caseId: string, typed: string) {
  const { subject, repair, mask } = openCase(teams, await getCase(store, caseId));
  if (subject === null) throw new MessageUnreadableError(caseId);
  const shown = [cheapestReading(subject) ?? null, ...(repair === null ? [] : [repair.value])];
  const known = shown.map((one) => ({ value: one, masked: maskSecrets(mask.payload(one)) }));
  const { text: payload, value, issues: unread } = readTyped(typed, known);
  if (unread.length > 0)
    return { check: { acceptable: false, issues: unread, second_person: [], diff: [] }, payload };
  const { proof, objections: issues, secondPerson } = proveByHand(subject, value);
  return {
    check: {
      acceptable: issues.length === 0,
      issues: mask.elsewhere(issues.map(({ path, code, message }) => ({ path, code, message }))),
      second_person: secondPerson,
      diff: mask.elsewhere(proof.diff),
    },
    payload,
  };
}

import type { AnswerOf, ConsoleApi } from "#shared/api";
import { agentNameOf } from "#shared/envelope";
import { maskForTeam, SENSITIVE_MASK } from "#shared/masking";
import type { Team } from "#shared/runtime";
import type { JsonValue } from "#shared/schema";
import type { RunRecord } from "#shared/store/runs";
import type { CaseAdmission, CaseDetail, Subject } from "#shared/ward";
import type { DecisionKind } from "#shared/ward/decisions";
import type { Console } from "../console.ts";
import { maskText } from "../masking/mask-secrets.ts";
import { maskOf, NOTHING } from "../masking/mask-sensitive.ts";
import type { MessageMask } from "../masking/mask-sensitive.ts";
import { envelopeOf, findApproval, readLatest, subjectOf } from "./read-message.ts";
import { rebuildRepair } from "./rebuild-repair.ts";
import type { Repair } from "./rebuild-repair.ts";
import { showEvidence } from "./show-evidence.ts";

/** Everything a person needs to decide about one case. The routes mask secrets in all of it. */
export type CaseView = AnswerOf<ConsoleApi["showCase"]>;

type Mark = CaseView["marks"][number];

const AUDIT_MAX = 200;
const EVENTS_MAX = 500;

/**
 * @param revealed - Which values that the contract marks as sensitive are shown: none (null), all (""), or those at and
 *   below one place of the message, by its JSON pointer.
 */
export async function viewCase(
  console: Console,
  detail: CaseDetail,
  revealed: string | null,
): Promise<CaseView> {
  const { store, teams } = console;
  const [audit, run, timeline] = await Promise.all([
    store.cases.audit(detail.case_id, AUDIT_MAX),
    store.runs.find(detail.run_id),
    store.runs.events(detail.run_id, { from: 0, limit: EVENTS_MAX }),
  ]);
  const { admissions: _, history, ...summary } = detail;
  const record = readLatest(detail);
  const subject = record === null ? null : subjectOf(record, teams);
  const approval = findApproval(record);
  const redirects = record === null ? [] : redirectsFor(detail, record, teams);
  const repair = subject === null ? null : rebuildRepair(subject, { message_id: detail.message_id, history });
  const view: CaseView = {
    case: summary,
    message: record === null ? null : showMessage(record),
    original:
      subject === null ? null : { text: maskText(subject.text), is_json: subject.value !== undefined },
    contract: subject === null ? null : { id: subject.contractId, schema: subject.schema },
    approval,
    original_query: subject?.sources.original_query ?? null,
    repair: showRepair(repair, subject, NOTHING),
    marks: [...marksOf(record), ...objectionsOf(repair)],
    history: history.map(showOperation),
    audit,
    run: run === null ? null : showRun(run),
    timeline,
    // A call that waits is decided about as what it is, not by writing its decision's JSON.
    actions: actionsFor(detail, approval === null ? subject : null).filter(
      (action) => action !== "redirect" || redirects.length > 0,
    ),
    redirects,
  };
  if (revealed === "") return view;
  const team = maskForTeam(teams.find((one) => one.name === detail.team));
  const masked = { ...view, timeline: timeline.map(team.event) };
  if (subject === null || record === null) return team.isClear ? view : maskUnread(masked);
  const mask = messageMaskOf({ subject, record, teams, detail, repair, revealed: revealed ?? undefined });
  return { ...maskView(masked, subject, mask), repair: showRepair(repair, subject, mask) };
}

/** A message that never verified may hold anything anywhere. */
function maskUnread(view: CaseView): CaseView {
  const { message } = view;
  if (message === null) return view;
  const subject =
    message.subject.kind === "answer" ? { ...message.subject, text: SENSITIVE_MASK } : message.subject;
  return { ...view, message: { ...message, subject, stored: SENSITIVE_MASK } };
}

/** What of one case is masked: the values of its message, its repair, and what people proposed. */
export function messageMaskOf(of: {
  readonly subject: Subject;
  readonly record: CaseAdmission;
  readonly teams: readonly Team[];
  readonly detail: Pick<CaseDetail, "proposal">;
  readonly repair: Repair | null;
  /** As in `maskOf`. Default: nothing. */
  readonly revealed?: string | undefined;
}): MessageMask {
  const { subject, record, teams, detail, repair, revealed } = of;
  const contract = envelopeOf(record)?.meta.contract ?? "";
  const schema = teams.find((one) => one.name === record.team)?.contracts.find(contract)?.jsonSchema;
  const { input } = subject.sources;
  return maskOf(subject, {
    values: [...(repair === null ? [] : [repair.value]), ...proposedIn(detail)],
    input: schema === undefined || input === undefined ? null : { value: input, schema: schema },
    revealed,
  });
}

function proposedIn({ proposal }: Pick<CaseDetail, "proposal">): JsonValue[] {
  try {
    // JSON text of a person's value, as `decide` kept it.
    return proposal === null ? [] : [JSON.parse(proposal.payload) as JsonValue];
  } catch {
    return [];
  }
}

function maskView(view: CaseView, subject: Subject, mask: MessageMask): CaseView {
  const { message, original } = view;
  const { diagnosis, waits, decision, proposal } = mask.elsewhere(view.case);
  return {
    ...view,
    case: { ...view.case, diagnosis, waits, decision, proposal },
    message: message === null ? null : maskMessage(message, mask),
    original: original === null ? null : { ...original, text: maskText(mask.text(subject.text)) },
    original_query: mask.elsewhere(view.original_query),
    approval: mask.elsewhere(view.approval),
    marks: mask.elsewhere(view.marks),
    history: mask.elsewhere(view.history),
    audit: mask.elsewhere(view.audit),
    timeline: mask.elsewhere(view.timeline),
  };
}

function showRepair(repair: Repair | null, subject: Subject | null, mask: MessageMask): CaseView["repair"] {
  if (repair === null || subject === null) return null;
  const { evidence, ...rest } = repair;
  const value = mask.payload(rest.value);
  const shown = evidence && showEvidence(evidence, { text: subject.text, value, mask });
  return { ...mask.elsewhere(rest), value, evidence: shown };
}

function maskMessage(message: NonNullable<CaseView["message"]>, mask: MessageMask): CaseView["message"] {
  const { failures, subject, stored } = message;
  return {
    ...message,
    failures: mask.elsewhere(failures),
    subject: subject.kind === "answer" ? { ...subject, text: mask.text(subject.text) } : subject,
    stored: mask.text(stored),
  };
}

/** The message's envelope itself is not shown: it holds the whole conversation, the subject is what is wrong. */
function showMessage(record: CaseAdmission): CaseView["message"] {
  const { failures, producer, subject, stored, time_left_ms, admitted_by, at, contract } = record;
  return {
    failures,
    producer,
    subject: subject.kind === "answer" ? { ...subject, text: maskText(subject.text) } : subject,
    stored: maskText(stored),
    time_left_ms,
    admitted_by,
    at,
    contract,
  };
}

/** Without the evidence, whose names are words of the message: the repair has it, masked. */
function showOperation(operation: CaseDetail["history"][number]): CaseDetail["history"][number] {
  const attempts = operation.attempts.map((attempt) => {
    const { evidence: _, ...shown } = attempt;
    return shown;
  });
  return { ...operation, attempts };
}

function showRun(run: RunRecord): CaseView["run"] {
  const { run_id, team, status, cost, tokens, messages, created_ms, ended_ms } = run;
  return { run_id, team, status, cost, tokens, messages, created_ms, ended_ms };
}

function marksOf(record: CaseAdmission | null): Mark[] {
  const issues = (record?.failures ?? []).flatMap((failure) => failure.issues);
  return issues.map(({ path, code, message }) => ({ path, code, message, from: "failure" }));
}

function objectionsOf(repair: Repair | null): Mark[] {
  return (repair?.objections ?? []).map(({ path, code, message }) => ({
    path,
    code,
    message,
    from: "objection",
  }));
}

function actionsFor(detail: CaseDetail, subject: Subject | null): DecisionKind[] {
  if (detail.decision !== null) return [];
  if (detail.status === "discarded") return ["restore"];
  if (detail.status !== "quarantined" && detail.status !== "admitted") return [];
  if (subject === null) return ["discard"];
  const open: DecisionKind[] = ["release", "redirect", "operate", "discard"];
  return detail.status === "quarantined" && detail.proposal !== null ? ["approve", ...open] : open;
}

/** A case's contract is its subject's, which may be a model's answer: where a message can go depends on its own. */
function redirectsFor(detail: CaseDetail, record: CaseAdmission, teams: readonly Team[]): string[] {
  const contract = envelopeOf(record)?.meta.contract;
  if (contract === undefined) return [];
  const team = teams.find((one) => one.name === detail.team);
  const contractName = agentNameOf(contract);
  return [...(team?.agents.values() ?? [])]
    .filter((agent) => agent.name !== detail.agent && agent.accepts.name === contractName)
    .map((agent) => agent.name);
}

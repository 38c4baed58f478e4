import type { AnswerOf, ConsoleApi } from "#shared/api";
import { agentNameOf } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import { readJson, stepsOf } from "#shared/json";
import { maskForTeam, SENSITIVE_MASK } from "#shared/masking";
import type { Team } from "#shared/runtime";
import type { Evidence } from "#shared/repair";
import { nameOf, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { CaseAdmission, CaseDetail, Subject } from "#shared/ward";
import { decisionsFor } from "#shared/ward/decisions";
import { MASK, maskOf, maskText, NOTHING } from "../masking/masks.ts";
import type { MessageMask } from "../masking/masks.ts";
import { envelopeOf, findApproval, readMessage, rebuildRepair, subjectOf } from "./read-message.ts";
import type { Repair } from "./read-message.ts";
import type { Shown } from "./see-run.ts";

/** Everything a person needs to decide about one case. The routes mask secrets in all of it. */
export type CaseView = AnswerOf<ConsoleApi["showCase"]>;

type Mark = CaseView["marks"][number];

const AUDIT_MAX = 200;
const EVENTS_MAX = 500;

/** A message that never verified may hold anything anywhere. */
const UNREAD: MessageMask = { ...NOTHING, text: () => SENSITIVE_MASK };

/**
 * Reads the message of a case as far as that can be done, its repair, and what of both is masked. A message that never
 * verified has no subject. @param revealed - Which values that the contract marks as sensitive are shown: none (null),
 * all (""), or those at and below one place of the message, by its JSON pointer.
 */
export function openCase(teams: readonly Team[], detail: CaseDetail, revealed: string | null = null) {
  const { proposal } = detail;
  const record = readMessage(detail.admissions.at(-1));
  const subject = subjectOf(record, teams);
  if (record === null || subject === null) {
    const isClear = revealed === "" || maskForTeam(teamOf(teams, detail)).isClear;
    return { record, subject: null, repair: null, mask: isClear ? NOTHING : UNREAD };
  }
  const repair = rebuildRepair(subject, detail);
  const schema = teamOf(teams, record)?.contracts.find(contractOf(record) ?? "")?.jsonSchema;
  const { input } = subject.sources;
  // A value of a person, as `decide` kept it, is JSON text.
  const proposed = readJson(proposal?.payload ?? "") as JsonValue | undefined;
  const values = [repair?.value, proposed].filter((value) => value !== undefined);
  const told = schema === undefined || input === undefined ? null : { value: input, schema };
  const mask =
    revealed === "" ? NOTHING : maskOf(subject, { values, input: told, revealed: revealed ?? undefined });
  return { record, subject, repair, mask };
}

function teamOf(teams: readonly Team[], { team }: Pick<CaseDetail, "team">): Team | undefined {
  return teams.find(({ name }) => name === team);
}

/** @param revealed - As in `openCase`. */
export async function viewCase(
  { store, teams }: Shown,
  detail: CaseDetail,
  revealed: string | null,
): Promise<CaseView> {
  const [audit, run, events] = await Promise.all([
    store.cases.audit(detail.case_id, AUDIT_MAX),
    store.runs.find(detail.run_id),
    store.runs.events(detail.run_id, { from: 0, limit: EVENTS_MAX }),
  ]);
  const { admissions: _, history, ...summary } = detail;
  const { record, subject, repair, mask } = openCase(teams, detail, revealed);
  const call = findApproval(record);
  const takers = takersOf(teamOf(teams, detail), contractOf(record) ?? "");
  const redirects = takers.filter((name) => name !== detail.agent);
  const { diagnosis, waits, decision, proposal } = mask.elsewhere(summary);
  return {
    case: { ...summary, diagnosis, waits, decision, proposal },
    message: record === null ? null : showMessage(record, mask),
    original: subject && { text: maskText(mask.text(subject.text)), is_json: subject.value !== undefined },
    contract: subject && { id: subject.contractId, schema: subject.schema },
    approval: mask.elsewhere(call),
    original_query: mask.elsewhere(subject?.sources.original_query ?? null),
    repair: repair && subject && showRepair(repair, subject, mask),
    marks: mask.elsewhere([
      ...(record?.failures ?? []).flatMap(({ issues }) => marksOf(issues, "failure")),
      ...marksOf(repair?.objections ?? [], "objection"),
    ]),
    history: mask.elsewhere(history.map(showOperation)),
    audit: mask.elsewhere(audit),
    run: run && { status: run.status, cost: run.cost },
    timeline: mask.elsewhere(revealed === "" ? events : events.map(maskForTeam(teamOf(teams, detail)).event)),
    // A call that waits is decided about as what it is, not by writing its decision's JSON.
    actions: decisionsFor(detail, call === null && subject !== null).filter(
      (action) => action !== "redirect" || redirects.length > 0,
    ),
    redirects,
  };
}

function showRepair(repair: Repair, subject: Subject, mask: MessageMask): CaseView["repair"] {
  const { evidence, ...rest } = repair;
  const value = mask.payload(rest.value);
  const { text } = subject;
  return {
    ...mask.elsewhere(rest),
    value,
    evidence: evidence && showEvidence(evidence, { text, value, mask }),
  };
}

/** The message's envelope itself is not shown: it holds the whole conversation, the subject is what is wrong. */
function showMessage(record: CaseAdmission, mask: MessageMask): CaseView["message"] {
  const { failures, producer, subject, stored, time_left_ms, admitted_by, at, contract } = record;
  return {
    failures: mask.elsewhere(failures),
    producer,
    subject: subject.kind === "answer" ? { ...subject, text: mask.text(maskText(subject.text)) } : subject,
    stored: mask.text(maskText(stored)),
    time_left_ms,
    admitted_by,
    at,
    contract,
  };
}

/** Without the evidence, whose names are words of the message: the repair has it, masked. */
function showOperation(operation: CaseDetail["history"][number]): CaseDetail["history"][number] {
  const attempts = operation.attempts.map(({ evidence: _evidence, ...attempt }) => attempt);
  return { ...operation, attempts };
}

/** Places that something was said about, with what it was said by. */
export function marksOf(issues: readonly Issue[], from: Mark["from"]): Mark[] {
  return issues.map(({ path, code, message }) => ({ path, code, message, from }));
}

/** Returns the contract of a message, by which it is sent. That of its case is its subject's: a model's answer, say. */
export function contractOf(record: CaseAdmission | null): string | undefined {
  return envelopeOf(record)?.meta.contract;
}

/** Returns the names of the agents of a team that accept a contract. */
export function takersOf(team: Team | undefined, contract: string): string[] {
  const agents = [...(team?.agents.values() ?? [])];
  return agents.filter(({ accepts }) => accepts.name === agentNameOf(contract)).map(({ name }) => name);
}

/** From which pieces of the original first aid read the values that it changed, and what it did not use. */
type ShownEvidence = NonNullable<NonNullable<CaseView["repair"]>["evidence"]>;

type Span = Pick<Evidence["unused"][number], "start" | "end">;

/** Maximum length of a shown piece, in UTF-16 units. */
const PIECE_CHARS_MAX = 200;
/** Length of the text around a piece that is searched for sensitive values which the piece would cut. */
const AROUND_CHARS = 1_000;

/**
 * Cuts the pieces out of the original's text. Masks secrets, pieces of sensitive fields and, where any field is marked,
 * all that is in no value. @param of.value - The repaired value, masked.
 */
export function showEvidence(
  { values, unused }: Evidence,
  of: { readonly text: string; readonly value: JsonValue; readonly mask: MessageMask },
): ShownEvidence {
  return {
    values: values.map(({ path, rules, spans: [span] }) => {
      if (span === undefined) return { path, rules, piece: null };
      const isMarked = valueAt(of.value, stepsOf(path)) === SENSITIVE_MASK;
      const piece = isMarked ? SENSITIVE_MASK : maskAround(span, of);
      return { path, rules, piece: shown(piece, nameOf(stepsOf(path))) };
    }),
    unused: unused.map(({ name, reason, start, end }) => ({
      name: name === undefined ? null : shown(of.mask.unread(name), ""),
      reason,
      piece: shown(of.mask.unread(of.text.slice(start, end)), name ?? ""),
    })),
  };
}

/** Masks sensitive values in a piece, and the whole piece where it would cut such a value. */
function maskAround(
  { start, end }: Span,
  { text, mask }: { readonly text: string; readonly mask: MessageMask },
): string {
  const parts = [
    text.slice(Math.max(0, start - AROUND_CHARS), start),
    text.slice(start, end),
    text.slice(end, end + AROUND_CHARS),
  ].map((part) => [part, mask.elsewhere(part)] as const);
  const whole = mask.elsewhere(parts.map(([part]) => part).join(""));
  return whole === parts.map(([, masked]) => masked).join("")
    ? mask.text(text.slice(start, end))
    : SENSITIVE_MASK;
}

/** Masks a secret, which may be known by its name alone, then bounds the piece. */
function shown(piece: string, name: string): string {
  const line = `${name}: ${piece}`;
  if (maskText(line) !== line) return MASK;
  return piece.length > PIECE_CHARS_MAX ? `${piece.slice(0, PIECE_CHARS_MAX)}…` : piece;
}

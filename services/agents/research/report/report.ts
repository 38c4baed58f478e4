import { defineError } from "#shared/errors";
import { z } from "zod";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { controlShell } from "#shared/patterns";
import type { Choice, ControlShell, View } from "#shared/patterns";
import { Brief, draft as draftForm, objection } from "../contracts.ts";
import type { Draft, Objection, HeldClaim } from "../contracts.ts";
import { settleAnswer, VERDICTS } from "../result.ts";
import type { Answer, AnsweredPart, CheckedClaim } from "../result.ts";

/** A report's board has no brief: it was forgotten while the run waited. */
export class BriefMissingError extends defineError({
  code: "RESEARCH_BRIEF_MISSING",
  failureClass: "handler_error",
  severity: "fatal",
  message: "The report's board is empty: its brief is gone.",
  remedy: "Replay the run from the message to `report`; a board is kept for a week after its last write.",
}) {}

const REPORT_ROUNDS_MAX = 3;

const ReportEntry = contract(
  "research.report-entry@1",
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("brief"), brief: Brief.schema }),
    /** `round`: versions so far, this one included. */
    z.object({ kind: z.literal("draft"), round: z.int().positive(), draft: draftForm }),
    /** The editor's objections to the draft of that round; empty: accepted. */
    z.object({
      kind: z.literal("review"),
      round: z.int().positive(),
      objections: z.array(objection).max(40),
    }),
  ]),
  { description: "A report's brief, its newest draft, or what the editor says of it." },
);

type Entry = ContractOutput<typeof ReportEntry>;
type Kind = Entry["kind"];

/** Reads a report's board: its brief, and the newest draft and review; null while there are none. */
export function readReport(view: View<typeof ReportEntry>) {
  const brief = findEntry(view, "brief")?.brief;
  if (brief === undefined) throw new BriefMissingError();
  return { brief, newest: findEntry(view, "draft"), review: findEntry(view, "review") };
}

function findEntry<K extends Kind>(
  view: View<typeof ReportEntry>,
  kind: K,
): Extract<Entry, { kind: K }> | null {
  const value = view.entries.get(kind)?.value;
  // Written under the name of its kind, and checked against the contract when it is read.
  return value?.kind === kind ? (value as Extract<Entry, { kind: K }>) : null;
}

export type ReportShell = ControlShell<typeof ReportEntry>;

/** A report on a blackboard: drafts and objections in turn until the editor is content or the rounds are spent. */
export function createReport(): ReportShell {
  return controlShell("report", {
    accepts: Brief,
    entry: ReportEntry,
    writers: ["writer", "editor"],
    turnsMax: 2 * REPORT_ROUNDS_MAX,
    begin: async (brief, board) => {
      await board.update("brief", "brief", () => ({ kind: "brief", brief }));
    },
    choose: async (view, { left, ctx }) => {
      const next = chooseNext(view, left);
      if ("writer" in next) return next;
      const { brief, report } = next;
      const answer = formatReport(brief, report);
      const topics = brief.questions.map(({ text }) => text);
      return { finish: await settleAnswer(ctx, { place: brief.conversation, answer, topics }) };
    },
  });
}

interface Finished {
  readonly brief: ContractOutput<typeof Brief>;
  readonly report: Parameters<typeof formatReport>[1];
}

/** Writer and editor in turn; another round is begun only where the editor can still see what comes of it. */
function chooseNext(
  view: View<typeof ReportEntry>,
  left: number,
): Extract<Choice, { writer: string }> | Finished {
  const { brief, newest, review } = readReport(view);
  if (newest === null) return { writer: "writer", because: "there is no draft yet" };
  if (review?.round !== newest.round) return { writer: "editor", because: `draft ${newest.round} is new` };
  const { objections } = review;
  if (objections.length > 0 && left >= 2)
    return { writer: "writer", because: `${objections.length} objections to draft ${newest.round}` };
  return { brief, report: { draft: newest.draft, round: newest.round, objections } };
}

type BriefOutput = ContractOutput<typeof Brief>;
type BriefQuestion = BriefOutput["questions"][number];

/** A brief with the draft that was written from it, and the marker of each finding that is cited. */
interface Written {
  readonly brief: BriefOutput;
  readonly draft: Draft;
  readonly markers: ReadonlyMap<string, string>;
}

/** Formats a report: the document's claims, contradictions first, the draft with markers, their words, what is open. */
export function formatReport(
  brief: BriefOutput,
  report: { readonly draft: Draft; readonly round: number; readonly objections: readonly Objection[] },
): Answer {
  const { draft, round, objections } = report;
  const drafted = brief.questions.flatMap(({ question_id: id }) => claimsOn(id, draft));
  const inVerdicts = brief.claims.flatMap(({ evidence }) => evidence.map(({ finding_id: id }) => id));
  const cited = new Set([...inVerdicts, ...drafted.flatMap(({ finding_ids: ids }) => ids)]);
  const findings = [...cited].flatMap((id) => brief.findings.find((one) => one.finding_id === id) ?? []);
  const markers = new Map(findings.map(({ finding_id: id }, index) => [id, String(index + 1)]));
  const written = { brief, draft, markers };
  const claims = checkClaims(brief, markers);
  const parts = brief.questions
    .filter(({ claim }) => claim === null)
    .map((question) => settleQuestion(question, written));
  const open = findOpen(brief, { objections, claims, parts });
  return {
    kind: "report",
    status: findings.length === 0 ? "not_found" : open.length === 0 ? "answered" : "open_points",
    answered_by: "research",
    answer: writeText(written, claims),
    citations: findings.map(({ source_id, title, publisher, published, quote }, index) => ({
      marker: String(index + 1),
      source_id,
      title,
      publisher,
      published,
      quote,
    })),
    parts,
    claims,
    open,
    held_back: brief.held_back,
    rounds: round,
  };
}

const claimsOn = (questionId: string, { claims }: Draft): Draft["claims"] =>
  claims.filter(({ question_id: id }) => id === questionId);

function settleQuestion(
  { question_id: id, text }: BriefQuestion,
  { brief, draft, markers }: Written,
): AnsweredPart {
  const cited = claimsOn(id, draft).flatMap(({ finding_ids: ids }) => ids);
  const findings = brief.findings.filter(({ finding_id: own }) => cited.includes(own));
  const isOpen = findings.length === 0 || draft.unanswered.includes(id) || brief.failed.includes(id);
  const sources = new Set(findings.map(({ source_id: source }) => source));
  return {
    question: text,
    status: isOpen ? "open" : "answered",
    sources_disagree: draft.disagreeing.includes(id) && sources.size > 1,
    markers: findings.flatMap(({ finding_id: own }) => markers.get(own) ?? []),
  };
}

/** Returns the open points of a report, the parts that no source answers included. */
function findOpen(
  { questions, failed, unchecked }: BriefOutput,
  report: {
    readonly objections: readonly Objection[];
    readonly claims: readonly CheckedClaim[];
    readonly parts: readonly AnsweredPart[];
  },
): string[] {
  const notReached = questions.filter(({ question_id: id }) => failed.includes(id)).map(({ text }) => text);
  const unverifiable = report.claims.filter(({ verdict }) => verdict === "unverifiable");
  const unanswered = report.parts.filter(({ status }) => status === "open");
  const reached = (texts: readonly string[]): string[] => texts.filter((text) => !notReached.includes(text));
  const statements = unchecked === 1 ? "statement was" : "statements were";
  return [
    ...report.objections.map(({ kind, what }) => `${kind.replaceAll("_", " ")}: ${what}`),
    ...notReached.map((text) => `could not be looked up in time: ${text}`),
    ...reached(unverifiable.map(({ claim }) => claim)).map(
      (claim) => `neither confirmed nor contradicted by the sources: ${claim}`,
    ),
    ...reached(unanswered.map(({ question }) => question)).map(
      (question) => `not answered by the sources: ${question}`,
    ),
    ...(unchecked === 0 ? [] : [`${unchecked} further ${statements} not checked`]),
  ];
}

/** The verdicts, then the draft question by question; claims of the document are told once, by their verdicts. */
function writeText({ brief, draft, markers }: Written, claims: readonly CheckedClaim[]): string {
  const publishers = new Map(
    brief.findings.map(({ finding_id: id, publisher }) => [markers.get(id) ?? "", publisher]),
  );
  const told = new Set(brief.claims.flatMap(({ evidence }) => evidence.map(({ finding_id: id }) => id)));
  const sections = brief.questions.flatMap(({ question_id: id, text, claim }) => {
    const own = claimsOn(id, draft);
    // Of a claim of the document only what its verdict does not cite.
    if (claim !== null && own.every(({ finding_ids: ids }) => ids.every((one) => told.has(one)))) return [];
    const lines = own.map(({ text: said, finding_ids: ids }) => {
      const marks = ids.flatMap((one) => markers.get(one) ?? []).map((marker) => `[${marker}]`);
      return `${said} ${marks.join("")}`;
    });
    const nothing = brief.failed.includes(id)
      ? "This could not be looked up in time."
      : "The sources at hand do not answer this.";
    return [[`## ${text}`, ...(lines.length === 0 ? [nothing] : lines)].join("\n")];
  });
  const verdicts = writeVerdicts(claims, (marker) => publishers.get(marker) ?? "a source");
  return [`# ${draft.title}`, ...verdicts, ...sections].join("\n\n");
}

/** Gives each claim of the document its verdict, by what two readings found. Contradictions come first. */
function checkClaims(
  { claims, findings }: ContractOutput<typeof Brief>,
  markers: ReadonlyMap<string, string>,
): CheckedClaim[] {
  return claims
    .map((held) => ({
      verdict: verdictOf(held),
      claim: held.claim,
      quote: held.quote,
      evidence: held.evidence.flatMap(({ finding_id: id, stance }) => {
        const finding = findings.find((one) => one.finding_id === id);
        if (finding === undefined) return [];
        const { source_id, quote } = finding;
        return [{ stance, marker: markers.get(id) ?? "", source_id, quote }];
      }),
    }))
    .toSorted((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
}

function verdictOf({ evidence }: HeldClaim): CheckedClaim["verdict"] {
  const [isConfirmed, isDenied] = (["for", "against"] as const).map((side) =>
    evidence.some(({ stance }) => stance === side),
  );
  if (isDenied === true) return isConfirmed === true ? "disputed" : "contradicted";
  return isConfirmed === true ? "confirmed" : "unverifiable";
}

const HEADINGS: Readonly<Record<CheckedClaim["verdict"], string>> = {
  contradicted: "What the sources contradict, as a model reads them",
  disputed: "What the sources disagree on, as a model reads them",
  unverifiable: "What no source at hand says",
  confirmed: "What the sources confirm, as a model reads them",
};

/** The verdicts as text, each with the words of the sources. Empty where there are no claims. */
function writeVerdicts(claims: readonly CheckedClaim[], publisherOf: (marker: string) => string): string[] {
  return VERDICTS.flatMap((verdict) => {
    const own = claims.filter((one) => one.verdict === verdict);
    if (own.length === 0) return [];
    const lines = own.flatMap(({ quote, evidence }) => [
      `- You wrote: "${quote}"`,
      ...evidence.map(
        ({ stance, marker, quote: theirs }) =>
          `  - ${publisherOf(marker)} ${stance === "for" ? "says so" : "says otherwise"}: "${theirs}" [${marker}]`,
      ),
    ]);
    return [[`## ${HEADINGS[verdict]}`, ...lines].join("\n")];
  });
}

import type { ContractOutput } from "#shared/contract";
import type { Draft, Finding, Objection } from "../contract-fields.ts";
import type { Brief } from "../contracts.ts";
import type { Answer, AnsweredPart, CheckedClaim } from "../result.ts";
import { checkClaims, writeVerdicts } from "./check-claims.ts";

type BriefOutput = ContractOutput<typeof Brief>;
type BriefQuestion = BriefOutput["questions"][number];

interface Written {
  readonly draft: Draft;
  /** Marker of each finding that is cited. */
  readonly markers: ReadonlyMap<string, string>;
}

/**
 * A report as the client gets it: first what the sources say to the claims of the user's document, contradictions
 * ahead; then the draft with markers, the words behind each marker, and what is open.
 */
export function formatReport(
  brief: BriefOutput,
  report: { readonly draft: Draft; readonly round: number; readonly objections: readonly Objection[] },
): Answer {
  const { round, objections } = report;
  const order = brief.questions.map(({ question_id: id }) => id);
  const drafted = report.draft.claims.toSorted(
    (a, b) => order.indexOf(a.question_id) - order.indexOf(b.question_id),
  );
  const draft = { ...report.draft, claims: drafted };
  const inVerdicts = brief.claims.flatMap(({ evidence }) => evidence.map(({ finding_id: id }) => id));
  const cited = [...new Set([...inVerdicts, ...drafted.flatMap(({ finding_ids: ids }) => ids)])];
  const findings = cited.flatMap((id) => brief.findings.find(({ finding_id: own }) => own === id) ?? []);
  const markers = new Map(findings.map(({ finding_id: id }, index) => [id, String(index + 1)]));
  const written = { draft, markers };
  const claims = checkClaims(brief, markers);
  const parts = brief.questions
    .filter(({ claim }) => claim === null)
    .map((question) => settleQuestion(question, { brief, written }));
  const open = findOpen(brief, { objections, claims, parts });
  const citations = findings.map((finding) => cite(finding, markers));
  return {
    kind: "report",
    status: citations.length === 0 ? "not_found" : open.length === 0 ? "answered" : "open_points",
    answered_by: "research",
    answer: writeText(brief, { written, claims }),
    citations,
    parts,
    claims,
    open,
    held_back: brief.held_back,
    rounds: round,
  };
}

function settleQuestion(
  { question_id: id, text }: BriefQuestion,
  { brief, written: { draft, markers } }: { readonly brief: BriefOutput; readonly written: Written },
): AnsweredPart {
  const cited = draft.claims
    .filter(({ question_id: own }) => own === id)
    .flatMap(({ finding_ids: ids }) => ids);
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

/** What is still to be said, the parts of the report that no source answers included. */
function findOpen(
  { questions, failed, unchecked }: BriefOutput,
  report: {
    readonly objections: readonly Objection[];
    readonly claims: readonly CheckedClaim[];
    readonly parts: readonly AnsweredPart[];
  },
): string[] {
  const notReached = questions.filter(({ question_id: id }) => failed.includes(id)).map(({ text }) => text);
  const others = report.parts.filter(({ question }) => !notReached.includes(question));
  const statements = unchecked === 1 ? "statement was" : "statements were";
  return [
    ...report.objections.map(({ kind, what }) => `${kind.replaceAll("_", " ")}: ${what}`),
    ...notReached.map((text) => `could not be looked up in time: ${text}`),
    ...report.claims
      .filter(({ verdict, claim }) => verdict === "unverifiable" && !notReached.includes(claim))
      .map(({ claim }) => `neither confirmed nor contradicted by the sources: ${claim}`),
    ...others
      .filter(({ status }) => status === "open")
      .map(({ question }) => `not answered by the sources: ${question}`),
    ...(unchecked === 0 ? [] : [`${unchecked} further ${statements} not checked`]),
  ];
}

function cite(finding: Finding, markers: ReadonlyMap<string, string>): Answer["citations"][number] {
  const { finding_id: id, source_id, title, publisher, published, quote } = finding;
  return { marker: markers.get(id) ?? "", source_id, title, publisher, published, quote };
}

/** The verdicts, then the draft question by question; claims of the document are told once, by their verdicts. */
function writeText(
  brief: BriefOutput,
  { written, claims }: { readonly written: Written; readonly claims: readonly CheckedClaim[] },
): string {
  const { draft, markers } = written;
  const publishers = new Map(
    brief.findings.map(({ finding_id: id, publisher }) => [markers.get(id) ?? "", publisher]),
  );
  const sections = brief.questions
    .filter(({ claim, question_id: id }) => claim === null || tellsMore(id, brief, draft))
    .map((question) => writeSection(question, { brief, written }));
  const verdicts = writeVerdicts(claims, (marker) => publishers.get(marker) ?? "a source");
  return [`# ${draft.title}`, ...verdicts, ...sections].join("\n\n");
}

/** Whether the draft cites something to a claim that its verdict does not. */
function tellsMore(questionId: string, { claims }: BriefOutput, draft: Draft): boolean {
  const told = claims
    .filter(({ question_id: id }) => id === questionId)
    .flatMap(({ evidence }) => evidence.map(({ finding_id: id }) => id));
  return draft.claims
    .filter(({ question_id: id }) => id === questionId)
    .some(({ finding_ids: ids }) => ids.some((id) => !told.includes(id)));
}

function writeSection(
  { question_id: id, text }: BriefQuestion,
  { brief, written: { draft, markers } }: { readonly brief: BriefOutput; readonly written: Written },
): string {
  const lines = draft.claims
    .filter(({ question_id: own }) => own === id)
    .map(({ text: said, finding_ids: ids }) => {
      const marks = ids.flatMap((one) => markers.get(one) ?? []).map((marker) => `[${marker}]`);
      return `${said} ${marks.join("")}`;
    });
  const nothing = brief.failed.includes(id)
    ? "This could not be looked up in time."
    : "The sources at hand do not answer this.";
  return [`## ${text}`, ...(lines.length === 0 ? [nothing] : lines)].join("\n");
}

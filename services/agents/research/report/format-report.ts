import type { ContractOutput } from "#shared/contract";
import type { Draft, Objection, HeldClaim } from "../contract-fields.ts";
import type { Brief } from "../contracts.ts";
import { VERDICTS } from "../result.ts";
import type { Answer, AnsweredPart, CheckedClaim } from "../result.ts";

type BriefOutput = ContractOutput<typeof Brief>;
type BriefQuestion = BriefOutput["questions"][number];

/** A brief with the draft that was written from it, and the marker of each finding that is cited. */
interface Written {
  readonly brief: BriefOutput;
  readonly draft: Draft;
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

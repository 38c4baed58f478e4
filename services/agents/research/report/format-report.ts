import type { ContractOutput } from "#shared/contract";
import type { Draft, Finding, Objection } from "../contract-fields.ts";
import type { Brief } from "../contracts.ts";
import type { Answer } from "../result.ts";

/** A report as the client gets it: text with markers, the words behind each marker, and what is open. */
export function formatReport(
  brief: ContractOutput<typeof Brief>,
  report: { readonly draft: Draft; readonly round: number; readonly objections: readonly Objection[] },
): Answer {
  const { round, objections } = report;
  const order = brief.questions.map(({ question_id: id }) => id);
  const claims = report.draft.claims.toSorted(
    (a, b) => order.indexOf(a.question_id) - order.indexOf(b.question_id),
  );
  const draft = { ...report.draft, claims };
  const cited = [...new Set(draft.claims.flatMap(({ finding_ids: ids }) => ids))];
  const findings = cited.flatMap((id) => brief.findings.find(({ finding_id: own }) => own === id) ?? []);
  const markers = new Map(findings.map(({ finding_id: id }, index) => [id, String(index + 1)]));
  const open = [
    ...objections.map(({ kind, what }) => `${kind.replaceAll("_", " ")}: ${what}`),
    ...brief.questions
      .filter(({ question_id: id }) => draft.unanswered.includes(id) || brief.failed.includes(id))
      .map(({ question_id: id, text }) =>
        brief.failed.includes(id)
          ? `could not be looked up in time: ${text}`
          : `not answered by the sources: ${text}`,
      ),
  ];
  return {
    kind: "report",
    status: statusOf(draft, open),
    answered_by: "research",
    answer: writeText(brief, { draft, markers }),
    citations: findings.map((finding) => cite(finding, markers)),
    open,
    held_back: brief.held_back,
    rounds: round,
  };
}

function statusOf(draft: Draft, open: readonly string[]): Answer["status"] {
  if (draft.claims.length === 0) return "not_found";
  return open.length === 0 ? "answered" : "open_points";
}

function cite(finding: Finding, markers: ReadonlyMap<string, string>): Answer["citations"][number] {
  const { finding_id: id, source_id, title, publisher, published, quote } = finding;
  return { marker: markers.get(id) ?? "", source_id, title, publisher, published, quote };
}

/** The draft question by question. */
function writeText(
  { questions, failed }: ContractOutput<typeof Brief>,
  { draft, markers }: { readonly draft: Draft; readonly markers: ReadonlyMap<string, string> },
): string {
  const parts = questions.map(({ question_id: id, text }) => {
    const claims = draft.claims
      .filter(({ question_id: own }) => own === id)
      .map(({ text: said, finding_ids: ids }) => {
        const marks = ids.flatMap((one) => markers.get(one) ?? []).map((marker) => `[${marker}]`);
        return `${said} ${marks.join("")}`;
      });
    const nothing = failed.includes(id)
      ? "This could not be looked up in time."
      : "The sources at hand do not answer this.";
    const body = claims.length === 0 ? [nothing] : claims;
    return [`## ${text}`, ...body].join("\n");
  });
  return [`# ${draft.title}`, ...parts].join("\n\n");
}

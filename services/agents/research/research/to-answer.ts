import type { Passage } from "../outside/library.ts";
import type { Answer, AnsweredPart, Citation } from "../result.ts";

/** A sentence of the answer with the passage that it quotes. */
export interface Said {
  readonly statement: string;
  readonly quote: string;
  readonly passage: Passage;
}

/** What came of one question, after the second reading. */
export interface Settled {
  readonly question: string;
  /** What of the question the passages do not answer; empty: they answer all of it. */
  readonly missing: string;
  /** Whether the passages that are cited say different things. */
  readonly disagree: boolean;
  readonly said: readonly Said[];
  /** What a source says against what the question takes for granted; null for nothing. */
  readonly denial: Said | null;
  /** Sentences that a second reading did not find in their passages. */
  readonly unconfirmed: number;
}

const NOTHING = "I have found nothing on this in the sources that I have.";
const UNCONFIRMED =
  "a second reading of the sources did not bear out a part of the answer, which is left out";

/** Puts the answers to all questions together. The whole is answered only where every part is. */
export function toAnswer(settled: readonly Settled[]): Omit<Answer, "held_back"> {
  const citations: Citation[] = [];
  const written = settled.map((one) => writePart(one, citations));
  const parts = written.map(({ part }) => part);
  const texts = written.map(({ text, part: { question } }, index) =>
    parts.length === 1 ? text : `${index + 1}. ${question}\n${text}`,
  );
  return {
    kind: "lookup",
    answered_by: "research",
    rounds: 0,
    claims: [],
    status: statusOf(parts),
    answer: texts.join("\n\n"),
    citations,
    parts,
    open: written.flatMap(({ open }) => open),
  };
}

function statusOf(parts: readonly AnsweredPart[]): Answer["status"] {
  if (parts.every(({ status }) => status === "answered")) return "answered";
  return parts.every(({ markers }) => markers.length === 0) ? "not_found" : "open_points";
}

/** Writes the answer to one question and adds what it cites. */
function writePart(
  { question, said, denial, missing, disagree, unconfirmed }: Settled,
  citations: Citation[],
): { readonly part: AnsweredPart; readonly text: string; readonly open: readonly string[] } {
  const all = [...(denial === null ? [] : [denial]), ...said];
  const markers = all.map(({ quote, passage: { source_id, title, publisher, published } }) => {
    const marker = String(citations.length + 1);
    citations.push({ marker, source_id, title, publisher, published, quote });
    return marker;
  });
  const left = [
    ...(missing.trim() === "" ? [] : [missing.trim()]),
    ...(unconfirmed === 0 ? [] : [UNCONFIRMED]),
  ];
  const isOpen = all.length === 0 || left.length > 0;
  const status = denial !== null ? "contradicted" : isOpen ? "open" : "answered";
  const sources = new Set(all.map(({ passage }) => passage.source_id));
  const lines = all.map(({ statement }, index) => `${statement} [${markers[index] ?? ""}]`);
  const open = (left.length > 0 ? left : [question]).map((what) => `not answered by the sources: ${what}`);
  return {
    part: { question, status, sources_disagree: disagree && sources.size > 1, markers },
    text: [...(lines.length === 0 ? [NOTHING] : lines), ...left.map((what) => `Open: ${what}`)].join("\n"),
    open:
      status === "answered" ? [] : status === "open" ? open : [`contradicted by the sources: ${question}`],
  };
}

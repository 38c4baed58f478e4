import type { Passage } from "../outside/library.ts";
import { findContradictions, findUntold } from "../reading/claims/find-contradictions.ts";
import { findDenied } from "../reading/claims/find-denied.ts";
import type { Answer, AnsweredPart, Citation } from "../result.ts";
import type { LookedUp, LookupInput } from "./answer.ts";

type Asked = LookupInput["parts"][number];

/** A sentence of the answer with the passage that it quotes. */
interface Said {
  readonly statement: string;
  readonly quote: string;
  readonly passage: Passage;
}

const NOTHING = "I have found nothing on this in the sources that I have.";

/** Puts the answers to all parts together. The whole is answered only where every part is. */
export function toAnswer(asked: readonly Asked[], lookedUp: readonly LookedUp[]): Omit<Answer, "held_back"> {
  const citations: Citation[] = [];
  const settled = asked.map((one) => {
    const part = lookedUp.find(({ question_id: id }) => id === one.question_id) ?? null;
    return settlePart(one, part, citations);
  });
  const parts = settled.map(({ part }) => part);
  const texts = settled.map(({ text }, index) =>
    parts.length === 1 ? text : `${index + 1}. ${asked[index]?.question ?? ""}\n${text}`,
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
    open: settled.flatMap(({ open }) => open),
  };
}

function statusOf(parts: readonly AnsweredPart[]): Answer["status"] {
  if (parts.every(({ status }) => status === "answered")) return "answered";
  return parts.every(({ markers }) => markers.length === 0) ? "not_found" : "open_points";
}

/** Settles one question and adds what it cites. */
function settlePart(
  asked: Asked,
  part: LookedUp | null,
  citations: Citation[],
): { readonly part: AnsweredPart; readonly text: string; readonly open: readonly string[] } {
  const { question, passages } = asked;
  const said = (part?.sentences ?? []).flatMap(({ statement, quote, passage_id: id }): Said[] => {
    const passage = passages.find((one) => one.passage_id === id);
    return passage === undefined ? [] : [{ statement, quote, passage }];
  });
  const denials = findDenials(asked, part);
  const untold = findUntold(said.map(toStatement), asked).map(({ quote, passage }) => ({
    statement: `${passage.publisher}, however: ${quote}`,
    quote,
    passage,
  }));
  const all = [...denials, ...said, ...untold];
  const markers = all.map(({ quote, passage: { source_id, title, publisher, published } }) => {
    const marker = String(citations.length + 1);
    citations.push({ marker, source_id, title, publisher, published, quote });
    return marker;
  });
  const missing = part?.missing.trim() ?? "";
  const status =
    denials.length > 0 ? "contradicted" : all.length === 0 || missing !== "" ? "open" : "answered";
  const disagreeing = findContradictions(all.map(toStatement), question);
  const lines = all.map(({ statement }, index) => `${statement} [${markers[index] ?? ""}]`);
  const open = missing !== "" ? missing : question;
  return {
    part: { question, status, sources_disagree: disagreeing.length > 0, markers },
    text: [...(lines.length === 0 ? [NOTHING] : lines), ...(missing === "" ? [] : [`Open: ${missing}`])].join(
      "\n",
    ),
    open:
      status === "open"
        ? [`not answered by the sources: ${open}`]
        : status === "contradicted"
          ? [`contradicted by the sources: ${question}`]
          : [],
  };
}

function toStatement({ quote, passage }: Said) {
  return { quote, source_id: passage.source_id, title: passage.title };
}

/** What denies something that the question takes for granted: as the model found it, else by its figures. */
function findDenials({ question, passages }: Asked, part: LookedUp | null): Said[] {
  const { denied } = part ?? { denied: null };
  const passage = passages.find(({ passage_id: id }) => id === denied?.passage_id);
  const told =
    denied !== null && passage !== undefined
      ? { wrote: denied.assumed, says: denied.says, quote: denied.quote, passage }
      : findDenied(question, passages);
  if (told === null) return [];
  const { wrote, says, quote } = told;
  return [
    {
      statement: `You say "${wrote}"; ${told.passage.publisher} says "${says}".`,
      quote,
      passage: told.passage,
    },
  ];
}

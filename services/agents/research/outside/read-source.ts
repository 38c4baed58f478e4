import { splitText } from "#shared/context";
import { scoreInjection } from "#shared/guard";
import { flatten, shorten } from "../reading/sentences.ts";
import type { HeldBack, Passage } from "./library.ts";

/** Score from which a source is held back; the guard's own default. */
const HOLD_BACK_AT = 0.6;
const TITLE_CHARACTERS_MAX = 160;
const PASSAGE_CHARACTERS_MAX = 1500;

export interface Source {
  readonly passages: readonly Passage[];
  /** Null: it may be read. */
  readonly heldBack: HeldBack | null;
}

/**
 * A source from its text: lines `Title:`, `Publisher:`, `Published:` first, where it has them, then paragraphs apart by
 * empty lines, a long one as several passages. A source that gives orders to machines is held back as a whole: who
 * steers readers in one paragraph is no evidence in the next.
 */
export function readSource(sourceId: string, text: string): Source {
  const { head, body } = splitHead(text.replaceAll("\r\n", "\n"));
  const title = shorten(head.get("title") ?? sourceId, TITLE_CHARACTERS_MAX);
  const passages = body
    .split(/\n\s*\n/)
    .map(flatten)
    .flatMap((paragraph) =>
      splitText(paragraph, PASSAGE_CHARACTERS_MAX).map(({ from, to }) => paragraph.slice(from, to).trim()),
    )
    .map((passage, index) => ({
      passage_id: `${sourceId}#${index + 1}`,
      source_id: sourceId,
      title,
      publisher: shorten(head.get("publisher") ?? "unknown", TITLE_CHARACTERS_MAX),
      published: shorten(head.get("published") ?? "unknown", 40),
      text: passage,
    }));
  const { score, reasons } = scoreInjection(text);
  const heldBack = score < HOLD_BACK_AT ? null : { source_id: sourceId, title, reasons: [...reasons] };
  return { passages, heldBack };
}

function splitHead(text: string): { readonly head: ReadonlyMap<string, string>; readonly body: string } {
  const head = new Map<string, string>();
  const lines = text.split("\n");
  let at = 0;
  for (; at < lines.length; at += 1) {
    const [, name = "", value = ""] = /^(Title|Publisher|Published):\s*(.+)$/i.exec(lines[at] ?? "") ?? [];
    if (name === "") break;
    head.set(name.toLowerCase(), flatten(value));
  }
  return { head, body: lines.slice(at).join("\n") };
}

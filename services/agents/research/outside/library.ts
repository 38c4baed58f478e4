import { flatten } from "#shared/contract";
import { defineError } from "#shared/errors";
import { splitText } from "#shared/context";
import { scoreInjection } from "#shared/guard";
import { shorten } from "../text.ts";
import type { HeldBack, Passage } from "../contracts.ts";

/** The folder or the search service of the sources cannot be read, or holds more than may be read. */
export class LibraryUnavailableError extends defineError((problem: string, cause?: unknown) => ({
  code: "RESEARCH_LIBRARY_UNAVAILABLE",
  failureClass: "transient",
  message: `The sources cannot be searched: ${problem}.`,
  remedy: "Look at what SUTURE_SOURCES or SUTURE_SOURCES_URL names; the message is tried again.",
  cause,
})) {}

export interface Search {
  /** Passages that bear on what was asked, the best first. */
  readonly passages: Passage[];
  /** Sources that would have been among them. */
  readonly held_back: HeldBack[];
}

/** Source of the passages that the team looks up. They are texts of unknown people. */
export interface Library {
  /** @param wanted.passagesMax - Passages at most. @throws {LibraryUnavailableError} It cannot be searched now. */
  search(
    wanted: { readonly text: string; readonly passagesMax: number },
    signal: AbortSignal,
  ): Promise<Search>;
}

/** The library and times that the research team works with. */
export interface ResearchSetup {
  readonly library: Library;
  /** Longest wait of a message for the one before it in its conversation, in ms. Default 30,000. */
  readonly turnMs?: number;
  /** Timeout of a researcher, in ms. Default 90,000. */
  readonly roundMs?: number;
}

/** Score from which a source is held back; the guard's own default. */
const HOLD_BACK_AT = 0.6;
const ID_CHARACTERS_MAX = 160;
const TITLE_CHARACTERS_MAX = 160;
const DATE_CHARACTERS_MAX = 40;
const PASSAGE_CHARACTERS_MAX = 1500;

export interface Source {
  readonly passages: readonly Passage[];
  /** Null: it may be read. */
  readonly heldBack: HeldBack | null;
}

interface SourceText {
  readonly sourceId: string;
  /** Default: the id. */
  readonly title?: string | undefined;
  readonly publisher?: string | undefined;
  readonly published?: string | undefined;
  /** Paragraphs apart by empty lines. */
  readonly body: string;
  /** The rest of the file, which a reader does not see. Looked at for orders to machines. */
  readonly unseen?: string;
}

/**
 * Cuts a text into passages: its paragraphs, a long one as several passages. A source that gives orders to machines is
 * held back as a whole: who steers readers in one paragraph is no evidence in the next.
 */
export function toSource(text: SourceText): Source {
  const sourceId = shorten(flatten(text.sourceId.replaceAll(/\p{Cc}/gu, " ")), ID_CHARACTERS_MAX);
  const known = (value: string | undefined, fallback: string, charactersMax: number): string =>
    shorten(flatten(value ?? "") || fallback, charactersMax);
  const title = known(text.title, sourceId, TITLE_CHARACTERS_MAX);
  const publisher = known(text.publisher, "unknown", TITLE_CHARACTERS_MAX);
  const published = known(text.published, "unknown", DATE_CHARACTERS_MAX);
  const passages = text.body
    .split(/\n\s*\n/)
    .map(flatten)
    .flatMap((paragraph) =>
      splitText(paragraph, PASSAGE_CHARACTERS_MAX).map(({ from, to }) => paragraph.slice(from, to).trim()),
    )
    .map((passage, index) => ({
      passage_id: `${sourceId}#${index + 1}`,
      source_id: sourceId,
      title,
      publisher,
      published,
      text: passage,
    }));
  const scored = [title, publisher, published, text.body, text.unseen ?? ""].join("\n\n");
  const { score, reasons } = scoreInjection(scored);
  const heldBack = score < HOLD_BACK_AT ? null : { source_id: sourceId, title, reasons: [...reasons] };
  return { passages, heldBack };
}

/** A source that is there and cannot be read: held back under its name, so that a search for it tells of it. */
export function unreadableSource(sourceId: string, reason: string): Source {
  const { passages } = toSource({ sourceId, body: sourceId.replaceAll(/[^\p{L}\p{N}]+/gu, " ") });
  return { passages, heldBack: { source_id: sourceId, title: sourceId, reasons: ["unreadable", reason] } };
}

const HEAD = /^(?:---\n[^]*?\n---(?:\n|$)|(?:(?:Title|Publisher|Published):.+(?:\n|$))*)/i;

/** A source from its text: lines `Title:`, `Publisher:`, `Published:` or front matter first, then paragraphs. */
export function readSource(sourceId: string, text: string): Source {
  const plain = text.replaceAll("\r\n", "\n");
  const head = HEAD.exec(plain)?.[0] ?? "";
  const known = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*["']?(.+?)["']?[ \\t]*$`, "im").exec(head)?.[1];
  return toSource({
    sourceId,
    title: known("Title"),
    publisher: known("(?:publisher|author)"),
    published: known("(?:published|date)"),
    body: plain.slice(head.length),
    unseen: head,
  });
}

import type { GuidelineSection } from "./knowledge-base.ts";
import { flatten } from "./flatten.ts";

const HEAD_LINE = /^(title|source|date):\s*(.+)$/i;
/** A heading of Markdown, or a line that is underlined, as plain texts have it. */
const HEADING = /^#{1,6}\s+(.+?)\s*#*$|^([^\n]{1,160})\n[=-]{3,}$/gm;
const HEADING_CHARACTERS_MAX = 160;
const SECTION_CHARACTERS_MAX = 1500;
const SENTENCE_END = /(?<=[.!?])\s+/;

/**
 * Reads a guideline: lines `Title:`, `Source:` and `Date:` first, where it has them, then sections under headings. What
 * stands before the first heading is a section of its own. A long section becomes several, cut between sentences.
 */
export function readGuideline(documentId: string, content: string): GuidelineSection[] {
  const { head, body } = splitHead(content.replaceAll("\r\n", "\n").replace(/^\uFEFF/, ""));
  const sections = splitSections(body);
  const title = head.get("title") ?? sections.find(({ heading }) => heading !== "")?.heading ?? documentId;
  return sections
    .flatMap(({ heading, text }) => cutAtSentences(text).map((part) => ({ heading, text: part })))
    .map(({ heading, text }, index) => ({
      section_id: `${documentId}#${index + 1}`,
      title: title.slice(0, HEADING_CHARACTERS_MAX),
      source: (head.get("source") ?? "unknown").slice(0, HEADING_CHARACTERS_MAX),
      date: (head.get("date") ?? "unknown").slice(0, 40),
      heading: (heading === "" ? title : heading).slice(0, HEADING_CHARACTERS_MAX),
      text,
    }));
}

function splitHead(content: string): { readonly head: ReadonlyMap<string, string>; readonly body: string } {
  const head = new Map<string, string>();
  const lines = content.split("\n");
  let at = 0;
  for (; at < lines.length; at += 1) {
    const [, name = "", value = ""] = HEAD_LINE.exec(lines[at] ?? "") ?? [];
    if (name === "") break;
    head.set(name.toLowerCase(), flatten(value));
  }
  return { head, body: lines.slice(at).join("\n") };
}

function splitSections(body: string): { readonly heading: string; readonly text: string }[] {
  const headings = [...body.matchAll(HEADING)];
  const from = [0, ...headings.map(({ index, 0: line }) => index + line.length)];
  const to = [...headings.map(({ index }) => index), body.length];
  return from
    .map((start, number) => {
      const [, marked, underlined] = headings[number - 1] ?? [];
      return { heading: flatten(marked ?? underlined ?? ""), text: flatten(body.slice(start, to[number])) };
    })
    .filter(({ text }) => text !== "");
}

function cutAtSentences(text: string): string[] {
  const parts: string[] = [];
  let open = "";
  for (const sentence of text.split(SENTENCE_END).flatMap(cutLong)) {
    if (open !== "" && open.length + sentence.length >= SECTION_CHARACTERS_MAX) {
      parts.push(open);
      open = "";
    }
    open = open === "" ? sentence : `${open} ${sentence}`;
  }
  return open === "" ? parts : [...parts, open];
}

/** A text without sentence ends, such as a table, is cut at its length so that nothing of it is dropped. */
function cutLong(sentence: string): string[] {
  const pieces = Math.ceil(sentence.length / SECTION_CHARACTERS_MAX);
  return Array.from({ length: pieces }, (_, index) =>
    sentence.slice(index * SECTION_CHARACTERS_MAX, (index + 1) * SECTION_CHARACTERS_MAX),
  );
}

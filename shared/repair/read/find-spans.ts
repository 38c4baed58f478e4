import { WORK } from "../bounds.ts";
import type { RefusalCode } from "../first-aid-result.ts";
import type { Bounds, Work } from "../bounds.ts";
import { readSpan } from "./read-span.ts";
import type { Attempt, Span, Stretch } from "./read-span.ts";
import { spend } from "./reader.ts";

const SPANS_MAX = 200;
const FENCES_MAX = 50;

/** Work limit of failed attempts, for each character and in total. */
const VAIN_WORK_PER_CHAR = 16;
const VAIN_WORK = 200_000;

/** Finds the values inside other text: the contents of fences, else every balanced span. */
export function findSpans(text: string, bounds: Bounds): { spans: Span[]; code: RefusalCode } {
  const patience: Work = { left: VAIN_WORK + VAIN_WORK_PER_CHAR * text.length };
  const within: Within = { bounds, patience };
  const fenced = findFenced(text, within);
  const found = fenced.spans.length > 0 || fenced.code !== "no_json" ? fenced : findLoose(text, within);
  // A partial search cannot tell which value is meant.
  return patience.left < 0 ? { spans: [], code: "work_limit" } : found;
}

interface Within {
  readonly bounds: Bounds;
  /** Remaining work for failed attempts, each of which may read to the end of the text. */
  readonly patience: Work;
}

function attemptSpan(text: string, stretch: Stretch, { bounds, patience }: Within): Attempt {
  spend(bounds.work, WORK.attempt);
  const { left } = bounds.work;
  const attempt = readSpan(text, stretch, bounds);
  if (attempt.span === undefined) patience.left -= left - bounds.work.left;
  return attempt;
}

function findFenced(text: string, within: Within): { spans: Span[]; code: RefusalCode } {
  const spans: Span[] = [];
  let code: RefusalCode = "no_json";
  let open = text.indexOf("```");
  for (let tries = 0; open !== -1 && tries < FENCES_MAX && within.patience.left >= 0; tries += 1) {
    const start = contentStart(text, open);
    const { attempt, next } = readFence(text, start, within);
    if (attempt.span === undefined) code = attempt.code === "no_json" ? code : attempt.code;
    else spans.push(attempt.span);
    open = text.indexOf("```", next);
  }
  return { spans, code };
}

function contentStart(text: string, open: number): number {
  const info =
    /^```[ \t]*(?:jsonc?|json5|javascript|js|ts|typescript|python|py|txt|text|[\w+-]*(?=\r?\n))?/i.exec(
      text.slice(open, open + 40),
    );
  return open + (info?.[0].length ?? 3);
}

/** Reads a fenced block. A fence inside a JSON string looks like the end, so the last fence is tried next. */
function readFence(text: string, start: number, within: Within): { attempt: Attempt; next: number } {
  const read = (end: number): { attempt: Attempt; next: number } => {
    const stretch = { start, end, fenced: true, all: true };
    return { attempt: attemptSpan(text, stretch, within), next: end + 3 };
  };
  const close = text.indexOf("```", start);
  const first = read(close === -1 ? text.length : close);
  const isWhole = first.attempt.span?.steps.every(
    ({ step }) => step !== "missing_closer" && !step.startsWith("cut_"),
  );
  const last = text.lastIndexOf("```");
  if (isWhole === true || last <= close || close === -1) return first;
  const whole = read(last);
  return whole.attempt.span === undefined ? first : whole;
}

function findLoose(text: string, within: Within): { spans: Span[]; code: RefusalCode } {
  const spans: Span[] = [];
  let code: RefusalCode = "no_json";
  let hasLost = false;
  let at = nextOpener(text, 0);
  while (at !== -1 && spans.length < SPANS_MAX && within.patience.left >= 0) {
    const stretch = { start: at, end: text.length, fenced: false, all: false };
    const attempt = attemptSpan(text, stretch, within);
    if (attempt.span === undefined) {
      if (attempt.code !== "no_json") code = attempt.code;
      // A text that is truncated or too deep contains no value that stands for the whole.
      if (attempt.code === "cut" || attempt.code === "too_deep") return { spans, code };
      const end = unreadableEnd(text, at);
      // Nothing inside an unreadable value is the answer, and no value beside one with names.
      if (end > at + 1) code = code === "no_json" ? "ambiguous" : code;
      hasLost ||= QUOTED_NAME.test(text.slice(at, end));
      spend(within.bounds.work, end - at);
      at = nextOpener(text, end);
    } else if (isTorn(text, attempt.span)) {
      return { spans: [], code: "ambiguous" };
    } else {
      spans.push(attempt.span);
      at = nextOpener(text, Math.max(at + 1, attempt.span.end));
    }
  }
  return { spans: hasLost ? [] : spans, code };
}

const QUOTED_NAME = /["'”’]\s{0,9}:/;

/** Repairs after which a value may have ended too early. */
const CLOSED_BY_GUESS: ReadonlySet<string> = new Set(["missing_brace", "missing_closer", "wrong_closer"]);
/** A comma and a quote, or another item or member. */
const GOES_ON = /^\s*[}\]]?\s*,\s*(?:["“]|(?:-?\d[\d.]*|true|false|null)\s*[,:}\]]|[\w-]{1,60}\s*:\s)/;

/** Returns true when the structure goes on behind a value, which is only the beginning of the one that is meant. */
function isTorn(text: string, { steps, end }: Span): boolean {
  const rest = text.slice(end, end + 160);
  return (
    GOES_ON.test(rest) || (steps.some(({ step }) => CLOSED_BY_GUESS.has(step)) && /^\s*[,}\]]/.test(rest))
  );
}

/** The start of a value, as opposed to prose in brackets or a placeholder: a name with a colon, or another value. */
const LIKE_A_VALUE =
  /^(?:\{\s{0,40}(?:["'“][^"'”\n]{0,80}["'”]\s{0,9}:|[\w-]{1,60}\s{0,9}:(?!\/\/))|\[\s{0,40}(?:[%#@&*]?\{|[["]|-?\d))/;

/** Index where an unreadable value at `at` seems to end; `at + 1` when none seems to start. */
function unreadableEnd(text: string, at: number): number {
  if (!LIKE_A_VALUE.test(text.slice(at, at + 200))) return at + 1;
  let depth = 0;
  for (let end = at; end < text.length; end += 1) {
    const char = text[end];
    if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    if (depth === 0) return GOES_ON.test(text.slice(end + 1, end + 160)) ? text.length : end + 1;
  }
  return text.length;
}

function nextOpener(text: string, from: number): number {
  const opener = /[[{]/g;
  opener.lastIndex = from;
  return opener.exec(text)?.index ?? -1;
}

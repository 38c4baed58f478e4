import { ANSWER_ELEMENT, REASONING_MARK, TEMPLATE_TOKENS } from "./shells/dialects.ts";

/** Wrappers of mail, diffs, editors, markup and citing interfaces, each removed only where JSON could not hold it. */
const FORMS: readonly (readonly [
  step: string,
  cost: number,
  /** Removes the wrapper; undefined when there is none. */
  strip: (text: string) => string | undefined,
])[] = [
  ["tokens_removed", 1, withoutTemplateTokens],
  // An escape character never stands in JSON as it is.
  ["colours_removed", 1, (text) => (text.includes("\u001B[") ? text.replaceAll(COLOUR, "") : undefined)],
  ["quoted_printable", 2, fromQuotedPrintable],
  // `<answer>42</answer>` as the whole text.
  ["answer_element_removed", 1, (text) => ANSWER_ELEMENT.exec(text)?.[2]],
  ["entities_decoded", 2, withoutEntities],
  ["citations_removed", 1, withoutCitations],
  ["odd_escape", 1, withoutWrittenBreaks],
  ["wide_marks", 1, withNarrowMarks],
  ["line_marks_removed", 1, marksOffJson],
];

/** Removes wrappers from a text; returns a step for each. */
export function withoutForms(text: string): { text: string; steps: { step: string; cost: number }[] } {
  let plain = text;
  const steps: { step: string; cost: number }[] = [];
  for (const [step, cost, strip] of FORMS) {
    const stripped = strip(plain);
    if (stripped === undefined) continue;
    plain = stripped;
    steps.push({ step, cost });
  }
  return { text: plain, steps };
}

/** Writes line breaks between values that are written as escapes (`{\n  "a": 1\n}` in one line). */
function withoutWrittenBreaks(text: string): string | undefined {
  if (!text.includes("\\") || !/(?:[{[]|"\s*[,:])\s*(?:\\[nrt]\s*)+["{[\]}\d-]/.test(text)) return undefined;
  const pieces: string[] = [];
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    const next = text[at + 1] ?? "";
    const isBreak = char === "\\" && !isInString && "nrt".includes(next) && next !== "";
    if (char === '"') isInString = !isInString;
    if (char !== "\\") pieces.push(char);
    else {
      // Replaces only outside of strings.
      pieces.push(isBreak ? "\n" : char + next);
      at += 1;
    }
  }
  return pieces.join("");
}

/** JSON's marks as East Asian and Arabic keyboards write them, and as JSON does. */
const [WIDE, NARROW] = ["：，،؛｛｝［］＂", ':,,,{}[]"'];

/** A colon of full width behind a quote, or a comma of another script between two values. */
const FOREIGN_MARK = /["”＂'][ \t]{0,9}：|["”＂'}\]\p{Nd}el][ \t]{0,9}[，،؛]\s{0,99}["“＂'{[\p{Nd}-]/u;

/** `{"a"： 1，"b"： 2}`: marks outside of strings are of full width, or another script's. */
function withNarrowMarks(text: string): string | undefined {
  if (!/[：，،؛]/.test(text) || !FOREIGN_MARK.test(text)) return undefined;
  let end = "";
  return text.replaceAll(/\\?[^]/gu, (char) => {
    if (end !== "") {
      if (char !== end) return char;
      end = "";
      return char === "＂" ? '"' : char;
    }
    end = STRING_ENDS[char] ?? "";
    return NARROW[WIDE.indexOf(char)] ?? char;
  });
}

const STRING_ENDS: Readonly<Record<string, string>> = { '"': '"', "“": "”", "＂": "＂" };

/** Returns a text without a model's reasoning and without what carries texts: mail, diffs, escapes, marks of lines. */
export function plainText(text: string): string {
  return withoutForms(withoutReasoning(text)).text;
}

function withoutEntities(text: string): string | undefined {
  if (!text.includes("&") || !/[{[,]\s*&(?:quot|#34|#x22);/i.test(text) || /[{[,]\s*"/.test(text))
    return undefined;
  return decodeEntities(text);
}

/** `【4†source】` anywhere, `[^1^]` behind a value. */
const CITATION = /【[^】\n]{1,60}】|(?<=["\d\]}el])\[\^\d{1,3}\^?\](?=\s*[,}\]\n]|\s*$)/g;

function withoutCitations(text: string): string | undefined {
  if (!text.includes("】") && !text.includes("[^")) return undefined;
  const plain = text.replaceAll(CITATION, "");
  return plain === text ? undefined : plain;
}

const COLOUR = new RegExp(String.raw`\u001B\[[0-9;]*[A-Za-z]`, "g");

const TOKEN = `(?:${TEMPLATE_TOKENS.join("|")})`;

const LEADING_TOKENS = new RegExp(`^\\s*(?:${TOKEN}(?:assistant|model)?\\s*)+`);
const TRAILING_TOKEN = new RegExp(`${TOKEN}$`);
/** Length of the longest token. */
const TOKEN_CHARS_MAX = 42;

/** Keeps what follows the last `<|message|>`, and takes marks off both ends. */
function withoutTemplateTokens(text: string): string | undefined {
  if (!text.includes("<") && !text.includes("INST]")) return undefined;
  const message = text.lastIndexOf("<|message|>");
  const said = message === -1 ? text : text.slice(message + "<|message|>".length);
  const plain = withoutTrailingTokens(said.replace(LEADING_TOKENS, ""));
  return plain === text ? undefined : plain;
}

function withoutTrailingTokens(text: string): string {
  let end = text.length;
  for (;;) {
    const plain = text.slice(0, end).trimEnd();
    const token = TRAILING_TOKEN.exec(plain.slice(-TOKEN_CHARS_MAX))?.[0];
    if (token === undefined) return end === text.length ? text : text.slice(0, end);
    end = plain.length - token.length;
  }
}

/** Decodes a mail part whose header says quoted-printable, and drops the header. */
function fromQuotedPrintable(text: string): string | undefined {
  if (!text.includes("ransfer-") && !text.includes("RANSFER-")) return undefined;
  const header = /^Content-Transfer-Encoding:[ \t]*quoted-printable[^\n]*\n/im.exec(text);
  if (header === null) return undefined;
  const body = text.slice(header.index + header[0].length).replace(/^(?:[A-Za-z-]+:[^\n]*\n)*\r?\n/, "");
  const joined = body.replaceAll(/=\r?\n/g, "").replaceAll("%", "%25");
  try {
    return decodeURIComponent(joined.replaceAll(/=([0-9A-F]{2})/gi, "%$1"));
  } catch {
    return undefined;
  }
}

/** Marks of quotations, diffs, comments and listings at the beginning of lines. */
const MARKS: readonly RegExp[] = [
  /^(?:> ?)+/,
  /^[+]/,
  /^\/\/+ ?/,
  /^#+ /,
  /^\|\s?(?!.*\|\s*$)/,
  /^\s{0,6}\d{1,6}(?: ?[:|│.)→]|\t)[ \t]?/,
];
/** Numbers with a blank alone, which only JSON does not have. */
const OF_JSON: readonly RegExp[] = [/^\s{0,6}\d{1,6}(?=\s|$) ?/];

/** Takes the mark, or the numbers, off the lines of a JSON value in a text; undefined where none has JSON behind it. */
function marksOffJson(text: string): string | undefined {
  if (!/(?:^|\n)(?:[>+#|]|\/\/|\s{0,9}\d{1,6}\s{0,3}[:|.)]?)[\s>]{0,9}[{[]/.test(text)) return undefined;
  const lines = text.split("\n");
  for (const mark of [...MARKS, ...OF_JSON]) {
    const first = lines.findIndex((line) => mark.test(line) && /^\s*[{[]/.test(line.replace(mark, "")));
    const after = lines.findIndex((line, at) => at > first && !mark.test(line));
    const end = after === -1 ? lines.length : after;
    const behind = lines.slice(first, end).map((line) => line.replace(mark, ""));
    if (first !== -1 && end - first > 1 && /[}\]][,;]?$/.test(behind.join("\n").trimEnd()))
      return [...lines.slice(0, first), ...behind, ...lines.slice(end)].join("\n");
  }
  return undefined;
}

/** Characters examined on each side of a mark. */
const LOOK_CHARS_MAX = 80;

/**
 * Removes reasoning: `<think>…</think>`, `[THINK]…[/THINK]`. An unclosed block extends to the end, an unopened one
 * from the start. Marks in the middle of a line are text, because a string may contain them.
 */
export function withoutReasoning(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let depth = 0;
  for (const mark of text.matchAll(REASONING_MARK)) {
    const [whole] = mark;
    const next = mark.index + whole.length;
    const ends = /^(?:.\/|<\|end)/i.test(whole);
    if (depth === 0 && !(ends ? standsBefore(text, next) : standsAfter(text, mark.index))) continue;
    if (depth === 0 && ends) kept.length = 0;
    if (depth === 0 && !ends) kept.push(text.slice(from, mark.index));
    depth = ends ? Math.max(0, depth - 1) : depth + 1;
    from = next;
  }
  if (from === 0) return text;
  return depth > 0 ? kept.join(" ") : [...kept, text.slice(from)].join(" ");
}

/** Returns true when a line, an element or the text begins at `at`. */
function standsAfter(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LOOK_CHARS_MAX), at);
  return /(?:^|[\n>\]])\s*$/.test(before);
}

/** Returns true when a line or a value follows at `at`. */
function standsBefore(text: string, at: number): boolean {
  return /^[^\S\n]*(?:$|[\n{[`<])/.test(text.slice(at, at + LOOK_CHARS_MAX));
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
};

/** Decodes the entities of XML, and those of HTML that stand in answers; leaves others as they are. */
export function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:([a-z]{2,4})|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity: string, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    },
  );
}

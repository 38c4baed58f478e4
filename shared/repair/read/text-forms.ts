import { decodeEntities } from "./entities.ts";
import type { TextForm } from "./text-form.ts";
import { TRANSPORT_FORMS } from "./transport-forms.ts";

/** `【4†source】` anywhere, `[^1^]` behind a value. */
const CITATION = /【[^】\n]{1,60}】|(?<=["\d\]}el])\[\^\d{1,3}\^?\](?=\s*[,}\]\n]|\s*$)/;

/**
 * Wrappers of mail programs, diffs, editors, spreadsheets, markup and citing interfaces. Each is removed only where
 * JSON could not contain it.
 */
const FORMS: readonly TextForm[] = [
  {
    step: "entities_decoded",
    cost: 2,
    strip: (text) =>
      text.includes("&") && /[{[,]\s*&(?:quot|#34|#x22);/i.test(text) && !/[{[,]\s*"/.test(text)
        ? decodeEntities(text)
        : undefined,
  },
  {
    step: "cdata_removed",
    cost: 1,
    strip: (text) =>
      text.includes("<![CDATA[") && /<!\[CDATA\[\s*[{[]/.test(text)
        ? text.replaceAll(/<!\[CDATA\[|\]\]>/g, " ")
        : undefined,
  },
  {
    step: "citations_removed",
    cost: 1,
    strip: (text) =>
      (text.includes("】") || text.includes("[^")) && CITATION.test(text)
        ? text.replaceAll(new RegExp(CITATION, "g"), "")
        : undefined,
  },
  {
    step: "binaries_as_text",
    cost: 1,
    // Erlang and Elixir print texts as binaries: `<<"text">>`.
    strip: (text) =>
      text.includes('<<"') ? text.replaceAll(/<<("(?:[^"\\]|\\.)*")(?:\/utf8)?>>/g, "$1") : undefined,
  },
  { step: "odd_escape", cost: 1, strip: withoutWrittenBreaks },
  { step: "wide_marks", cost: 1, strip: withNarrowMarks },
  { step: "line_marks_removed", cost: 1, strip: withoutLineMarks },
  { step: "doubled_quotes", cost: 1, strip: withoutDoubledMarks },
];

const ALL_FORMS: readonly TextForm[] = [...TRANSPORT_FORMS, ...FORMS];

/** Removes wrappers from a text; returns a step for each. */
export function withoutForms(text: string): { text: string; steps: { step: string; cost: number }[] } {
  let plain = text;
  const steps: { step: string; cost: number }[] = [];
  for (const { step, cost, strip } of ALL_FORMS) {
    const stripped = strip(plain);
    if (stripped === undefined) continue;
    plain = stripped;
    steps.push({ step, cost });
  }
  return { text: plain, steps };
}

/**
 * `{\
 *  "a": 1\
 * }`: line breaks between values are written as escapes.
 */
function withoutWrittenBreaks(text: string): string | undefined {
  if (!text.includes("\\") || !/(?:[{[]|"\s*,)\s*(?:\\[nrt]\s*)+["{[\]}\d-]/.test(text)) return undefined;
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

/** JSON's marks as East Asian keyboards write them. */
const WIDE_MARKS: Readonly<Record<string, string>> = {
  "：": ":",
  "，": ",",
  "｛": "{",
  "｝": "}",
  "［": "[",
  "］": "]",
  "＂": '"',
};

/** `{"a"： 1，"b"： 2}`: marks outside of strings are of full width. */
function withNarrowMarks(text: string): string | undefined {
  if (
    !/["”＂'][ \t]{0,9}：|["”＂'}\]\d][ \t]{0,9}，\s{0,99}["“＂'][^"”＂'\n]{0,60}["”＂'][ \t]{0,9}[:：]/.test(
      text,
    )
  )
    return undefined;
  let end = "";
  return text.replaceAll(/\\?[^]/gu, (char) => {
    if (end !== "") {
      if (char !== end) return char;
      end = "";
      return char === "＂" ? '"' : char;
    }
    end = STRING_ENDS[char] ?? "";
    return WIDE_MARKS[char] ?? char;
  });
}

const STRING_ENDS: Readonly<Record<string, string>> = { '"': '"', "“": "”", "＂": "＂" };

/** Line prefixes of quotations, diffs, comments and listings. */
const LINE_MARKS: readonly RegExp[] = [/^(?:> ?)+/, /^[+]/, /^\/\/ ?/, /^# ?/, /^\| ?/];

/** Removes a prefix, or line numbers, that all lines share. */
function withoutLineMarks(text: string): string | undefined {
  if (!/(?:^|\n)(?:[>+#|]|\/\/|\s{0,9}\d{1,6}\s{0,3}[:|.)]?)[\s>]{0,9}[{[]/.test(text)) return undefined;
  const lines = text.split("\n");
  for (const mark of LINE_MARKS) {
    const marked = lines.map((line) => mark.exec(line)?.[0]);
    const first = marked.findIndex(
      (found, at) => found !== undefined && /^\s*[{[]/.test(lineBehind(lines, marked, at)),
    );
    if (first === -1) continue;
    const after = marked.findIndex((found, at) => at > first && found === undefined);
    const end = after === -1 ? lines.length : after;
    const behind = lines.slice(first, end).map((_, at) => lineBehind(lines, marked, first + at));
    if (end - first < 2 || !/[}\]][,;]?$/.test(behind.join("\n").trimEnd())) continue;
    return [...lines.slice(0, first), ...behind, ...lines.slice(end)].join("\n");
  }
  return withoutLineNumbers(lines);
}

function lineBehind(lines: readonly string[], marked: readonly (string | undefined)[], at: number): string {
  return (lines[at] ?? "").slice(marked[at]?.length ?? 0);
}

/** `1 {`, `2 "a": 1`, `3 }`: every line begins with its number. */
function withoutLineNumbers(lines: readonly string[]): string | undefined {
  const told = lines.filter((line) => line.trim() !== "");
  const numbered = told.map((line) => /^\s*(\d{1,6})(?:\s{0,3}[:|.)])?(?:\s(.*))?$/.exec(line));
  const [first] = numbered;
  if (told.length < 3 || first === null || first === undefined || !/^\s*[{[]/.test(first[2] ?? ""))
    return undefined;
  const start = Number(first[1]);
  const isWhole = numbered.every((found, at) => found !== null && Number(found[1]) === start + at);
  return isWhole ? numbered.map((found) => found?.[2] ?? "").join("\n") : undefined;
}

/** `"{""a"": 1}"`: JSON in a CSV field. */
function withoutDoubledMarks(text: string): string | undefined {
  const start = text.includes('""') ? text.search(/"[{[]\s{0,40}""/) : -1;
  if (start === -1) return undefined;
  const end = Math.max(text.lastIndexOf('}"'), text.lastIndexOf(']"'));
  const inner = text.slice(start + 1, end + 1);
  if (end <= start || /(?:^|[^"])"(?:[^"]|$)/.test(inner)) return undefined;
  return text.slice(0, start) + inner.replaceAll('""', '"') + text.slice(end + 2);
}

import { withoutReasoning } from "./without-reasoning.ts";
import { decodeEntities } from "./entities.ts";
import { marksOffJson } from "./line-marks.ts";
import type { TextForm } from "./transport-forms.ts";
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
    step: "citations_removed",
    cost: 1,
    strip: (text) =>
      (text.includes("】") || text.includes("[^")) && CITATION.test(text)
        ? text.replaceAll(new RegExp(CITATION, "g"), "")
        : undefined,
  },
  { step: "odd_escape", cost: 1, strip: withoutWrittenBreaks },
  { step: "wide_marks", cost: 1, strip: withNarrowMarks },
  { step: "line_marks_removed", cost: 1, strip: marksOffJson },
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

/** JSON's marks as East Asian and Arabic keyboards write them. */
const WIDE_MARKS: Readonly<Record<string, string>> = {
  "：": ":",
  "，": ",",
  "،": ",",
  "؛": ",",
  "｛": "{",
  "｝": "}",
  "［": "[",
  "］": "]",
  "＂": '"',
};

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
    return WIDE_MARKS[char] ?? char;
  });
}

const STRING_ENDS: Readonly<Record<string, string>> = { '"': '"', "“": "”", "＂": "＂" };

/** Returns a text without a model's reasoning and without what carries texts: mail, diffs, escapes, marks of lines. */
export function plainText(text: string): string {
  return withoutForms(withoutReasoning(text)).text;
}

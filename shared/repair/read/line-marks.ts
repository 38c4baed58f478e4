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
export function marksOffJson(text: string): string | undefined {
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

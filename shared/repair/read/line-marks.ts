/** Marks of quotations, diffs, comments and listings at the beginning of lines. */
const MARKS: readonly RegExp[] = [
  /^(?:> ?)+/,
  /^[+]/,
  /^\/\/+ ?/,
  /^#+ /,
  /^\|\s?(?!.*\|\s*$)/,
  /^\s{0,6}\d{1,6}(?: ?[:|│.)→]|\t)[ \t]?/,
];
/** Those that data may begin with as well. */
const OF_TEXTS: readonly RegExp[] = [/^data: ?/, /^--+ /, /^\* /, /^;+ ?/];
/** Numbers with a blank alone, which only JSON does not have. */
const OF_JSON: readonly RegExp[] = [/^\s{0,6}\d{1,6}(?=\s|$) ?/];

/** Takes off the mark, or the numbers, with which every line begins; undefined for none. */
export function marksOffLines(text: string): string | undefined {
  const lines = text.split("\n");
  const mark = [...MARKS, ...OF_TEXTS].find((one) =>
    lines.every((line) => line.trim() === "" || one.test(line)),
  );
  return mark && lines.length > 1 ? lines.map((line) => line.replace(mark, "")).join("\n") : undefined;
}

/** Takes them off the lines of a JSON value in a text; undefined where no JSON stands behind any. */
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

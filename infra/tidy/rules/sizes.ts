import type { Finding, SourceFile } from "../source-file.ts";

const FILE_LINES_MAX = 300;
const LINE_LENGTH_MAX = 110;
/** The formatter does not wrap comments; a few words over are not worth a person's time. */
const COMMENT_LENGTH_MAX = 120;

/**
 * A file holds one idea. Longer ones give their reason in the first comment, after the word `Size:`. Functions over 70
 * lines are refused by oxlint.
 */
export function checkFileSizes(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const isLong = file.isCode && !file.isTest && file.lines.length - 1 > FILE_LINES_MAX;
    if (!isLong || /\bSize:\s+\S/.test(file.lines.slice(0, 12).join("\n"))) return [];
    const message =
      `${file.lines.length - 1} lines, more than ${FILE_LINES_MAX}: split it where a second idea begins, or give the reason ` +
      "in a comment at the top that has the word `Size:`";
    return [{ path: file.path, line: 0, message }];
  });
}

/** Two files fit side by side on a screen. Texts that cannot be broken, as addresses, are left alone. */
export function checkLineLengths(files: readonly SourceFile[]): Finding[] {
  return files.filter((file) => file.isCode).flatMap(findLongLines);
}

function findLongLines(file: SourceFile): Finding[] {
  return file.lines.flatMap((line, index) => {
    const isComment = file.commentLines.has(index + 1);
    const lengthMax = isComment ? COMMENT_LENGTH_MAX : LINE_LENGTH_MAX;
    if (line.length <= lengthMax || /\S{60,}/.test(line)) return [];
    // The formatter leaves a long text or pattern on one line; what counts is the code around it.
    const code = (file.masked[index] ?? "").replaceAll(/(["'`/}]) {4,}/g, "$1").trimEnd();
    if (!isComment && code.length <= lengthMax) return [];
    const message = `longer than ${lengthMax} columns: run \`npm run format\`, and break comments by hand`;
    return [{ path: file.path, line: index + 1, message }];
  });
}

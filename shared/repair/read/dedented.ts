/** Takes the indentation off that all lines have in common, but for blank ones. */
export function dedented(lines: readonly string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const least = indents.reduce((least_, one) => Math.min(least_, one), Infinity);
  return lines.map((line) => line.slice(least));
}

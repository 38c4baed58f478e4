/** A text cut into sentences: after `.`, `!`, `?` followed by a space, after `。`, `！`, `？`, and at line ends. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[!?؟।])\s+|(?<=[。！？])(?![）」』])|(?<=[^\s.]{3}\.)\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

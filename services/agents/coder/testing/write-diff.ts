import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Returns the unified diff from one text to another, with three lines around each change; "" where they are equal. */
export function writeDiff(path: string, before: string, after: string): string {
  if (before === after) return "";
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, options);
}

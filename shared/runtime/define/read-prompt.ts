import { readFileSync } from "node:fs";
import { PromptPartMissingError } from "../errors.ts";

/**
 * Reads the instructions of one model step from an agent's `prompt.md`: the text above the first `## ` heading, which
 * all steps share, followed by the text under `## part`.
 *
 * @param file - URL of the prompt: `new URL("prompt.md", import.meta.url)`.
 * @throws {PromptPartMissingError} The file has no such heading.
 */
export function readPrompt(file: URL, part: string): string {
  const [shared = "", ...parts] = readFileSync(file, "utf8").split(/^## /m);
  const found = parts.find((text) => text.slice(0, text.indexOf("\n")).trim() === part);
  if (found === undefined) throw new PromptPartMissingError(part);
  return `${shared.trim()}\n\n${found.slice(found.indexOf("\n")).trim()}\n`;
}

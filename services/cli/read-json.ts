import { parseJson } from "#shared/envelope";
import { CommandRefusedError } from "./errors.ts";

/** Parses JSON that a person gave; an object with the same name twice is refused. @throws {CommandRefusedError} */
export function readJson(text: string, what: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new CommandRefusedError(
      `${what} is not JSON, or has a name twice.`,
      "Correct it; `suture repair` may help.",
    );
  }
}

import { CommandRefusedError } from "./errors.ts";

/** Parses what a person gave as JSON. @throws {CommandRefusedError} */
export function readJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandRefusedError(`${what} is not JSON.`, "Correct it; `suture repair` may help.");
  }
}

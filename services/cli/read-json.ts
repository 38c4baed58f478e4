import { parseOutside } from "#shared/envelope/json";
import { SutureError } from "#shared/errors";
import { CommandRefusedError } from "./errors.ts";

/** Parses what a person gave as JSON, within the bounds of a request's body. @throws {CommandRefusedError} */
export function readJson(text: string, what: string): unknown {
  try {
    return parseOutside(text);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    const isSyntax = error.code === "ENVELOPE_JSON_SYNTAX";
    if (isSyntax)
      throw new CommandRefusedError(`${what} is not JSON.`, "Correct it; `suture repair` may help.");
    throw new CommandRefusedError(`${what} cannot be sent: ${error.message}`, error.remedy);
  }
}

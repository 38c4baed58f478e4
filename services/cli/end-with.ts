import { CommanderError } from "commander";
import { GatewayProblemError } from "#shared/client";
import { SutureError } from "#shared/errors";
import { writeError } from "./print/print-answer.ts";
import { CommandRefusedError, RequestRefusedError } from "./errors.ts";

/** 0: done. 1: failed. 2: refused, or used in a way that makes no sense; nothing was changed. */
export const EXIT = { done: 0, failed: 1, refused: 2 } as const;

/** Says what went wrong in one line and gives the exit code for it. */
export function endWith(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.refused;
  if (error instanceof SutureError) {
    writeError(`${error.message} ${error.remedy}`);
    const isRefused =
      error instanceof CommandRefusedError ||
      error.code === "CONFIG_INVALID" ||
      ((error instanceof RequestRefusedError || error instanceof GatewayProblemError) && error.status < 500);
    return isRefused ? EXIT.refused : EXIT.failed;
  }
  writeError(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.failed;
}

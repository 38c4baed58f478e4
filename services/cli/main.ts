import { CommanderError } from "commander";
import { SutureError } from "#shared/errors";
import { createProgram } from "./create-program.ts";
import { CommandRefusedError, EXIT, refusedWith } from "./errors.ts";
import { endOnClosedOutput } from "./launcher/stop-signals.ts";
import { writeError } from "./print/print-answer.ts";

endOnClosedOutput();

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = endWith(error);
}

/** Says what went wrong in one line and gives the exit code for it. */
function endWith(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.refused;
  if (error instanceof SutureError) {
    const status = refusedWith(error);
    const places =
      status === null ? [] : error.issues.map(({ path, message }) => `\n  ${path || "/"}: ${message}`);
    writeError([`${error.message} ${error.remedy}`, ...places].join(""));
    const isRefused =
      error instanceof CommandRefusedError ||
      error.code === "CONFIG_INVALID" ||
      (status !== null && status < 500);
    return isRefused ? EXIT.refused : EXIT.failed;
  }
  writeError(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.failed;
}

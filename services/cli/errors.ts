import { AnswerUnreadableError, GatewayProblemError } from "#shared/client";
import { defineError } from "#shared/errors";

/** 0: done. 1: failed. 2: refused, or used in a way that makes no sense; nothing was changed. */
export const EXIT = { done: 0, failed: 1, refused: 2 } as const;

/** The command cannot be used like this, or what it was asked to treat is refused. Exit code 2; nothing was changed. */
export class CommandRefusedError extends defineError((problem: string, remedy: string) => ({
  code: "COMMAND_REFUSED",
  failureClass: "validation_error",
  message: problem,
  remedy,
})) {}

/** The command needs a running Suture, and none answers. */
export class NothingRunsError extends defineError((service: string, url: string | null, cause?: unknown) => ({
  code: "NOTHING_RUNS",
  cause,
  failureClass: "transient",
  message:
    url === null
      ? `No running Suture was found: the address of its ${service} is not known.`
      : `The ${service} does not answer at ${url}.`,
  remedy: `Start it with "npm start", or name its address with --${service}-url.`,
})) {}

/** The mailbox could not be used. The server's own words stay in the cause: they may hold an address. */
export class MailboxFailedError extends defineError((cause: unknown) => ({
  code: "MAILBOX_FAILED",
  cause,
  failureClass: "transient",
  message: "The mailbox could not be opened or broke off.",
  remedy:
    "Check SUTURE_IMAP_URL (host, port, user, password, TLS) and SUTURE_MAIL_FOLDER; it is tried again by itself.",
})) {}

/** The status with which a service refused a request; null for any other failure. */
export function refusedWith(error: unknown): number | null {
  return error instanceof GatewayProblemError || error instanceof AnswerUnreadableError ? error.status : null;
}

/** Another command of ours works in the same data folder. */
export class AlreadyRunningError extends defineError(
  (running: { readonly pid: number; readonly dataDir: string }) => ({
    code: "ALREADY_RUNNING",
    failureClass: "handler_error",
    severity: "fatal",
    message: `Suture runs already with the data folder ${running.dataDir}, as process ${running.pid}.`,
    remedy: "Stop it first, or choose another folder with SUTURE_DATA_DIR.",
  }),
) {}

/** A service did not come up, or did not stay up. */
export class ServiceFailedError extends defineError(
  (failed: { readonly service: string; readonly problem: string; readonly logFile: string }) => ({
    code: "SERVICE_FAILED",
    failureClass: "handler_error",
    severity: "fatal",
    message: `The service ${failed.service} ${failed.problem}.`,
    remedy: `Read its log, ${failed.logFile}.`,
  }),
) {}

/** The demo ended without everything accounted for. Exit code 1. */
export class DemoFailedError extends defineError((problem: string) => ({
  code: "DEMO_FAILED",
  failureClass: "handler_error",
  severity: "fatal",
  message: `The demo did not end as it should: ${problem}.`,
  remedy: "Look at the summary above and at the logs in the demo's data folder.",
})) {}

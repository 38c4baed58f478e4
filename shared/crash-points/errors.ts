import { errorClass } from "#shared/errors";

/** The setting names no crash point, or has another form. Nothing was started. */
export const CrashPointUnknownError = errorClass("CRASH_POINT_UNKNOWN", (point: string) => ({
  failureClass: "handler_error",
  severity: "fatal",
  message: `There is no crash point ${JSON.stringify(point.slice(0, 100))}.`,
  remedy: "Unset SUTURE_CRASH_POINT, or name a point of docs/crash-windows.md, an action and a number.",
}));

/** A crash point struck by losing the connection, as a test asked for. */
export const CrashPointStruckError = errorClass("CRASH_POINT_STRUCK", (point: string) => ({
  failureClass: "transient",
  message: `The connection was lost at ${point}, because a test asked for it.`,
  remedy: "Unset SUTURE_CRASH_POINT: it is for tests.",
}));

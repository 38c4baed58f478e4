import { expect, it } from "vitest";
import { defineError, SutureError } from "./index.ts";

class JamError extends defineError({
  code: "JAM",
  failureClass: "transient",
  severity: "fatal",
  message: (queue: string, jobs: number) => `${jobs} jobs are stuck in ${queue}.`,
  remedy: (queue) => `Look at ${queue}.`,
  issues: (queue) => [{ path: `/${queue}`, code: "stuck", message: "stuck" }],
}) {}

class PlainError extends defineError({
  code: "PLAIN",
  failureClass: "transient",
  message: "It failed.",
  remedy: "Try again.",
}) {}

it("declares a class of errors by what they say", () => {
  const error = new JamError("refunds", 3);
  expect(error).toBeInstanceOf(SutureError);
  expect(error).not.toBeInstanceOf(PlainError);
  expect(error).toMatchObject({
    name: "JAM",
    code: "JAM",
    failureClass: "transient",
    severity: "fatal",
    remedy: "Look at refunds.",
    issues: [{ path: "/refunds", code: "stuck" }],
  });
  expect(error.message).toBe("3 jobs are stuck in refunds.");
  expect("cause" in error).toBe(false);
  expect(new PlainError()).toMatchObject({ remedy: "Try again.", severity: "recoverable", issues: [] });
});

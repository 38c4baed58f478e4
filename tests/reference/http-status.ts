import { SutureError } from "#shared/errors";
import type { FailureClass } from "#shared/errors";
import { toProblem } from "#shared/http";

/** HTTP status with which gateway and console answer an error of a class, where its code says nothing else. */
export function statusOfClass(failureClass: FailureClass): number {
  const error = new SutureError({ code: "ANY", failureClass, message: "", remedy: "" });
  return toProblem(error, { traceId: null }).problem.status;
}

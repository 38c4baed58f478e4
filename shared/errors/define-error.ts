import type { Issue } from "./failure-class.ts";
import { SutureError } from "./suture-error.ts";
import type { SutureErrorInit } from "./suture-error.ts";

/** What the errors of one class say; texts may depend on what the constructor is given. */
interface ErrorKind<Given extends readonly unknown[]> extends Pick<
  SutureErrorInit,
  "code" | "failureClass" | "severity"
> {
  readonly message: string | ((...given: Given) => string);
  readonly remedy: string | ((...given: Given) => string);
  readonly issues?: (...given: Given) => readonly Issue[];
  readonly cause?: (...given: Given) => unknown;
}

/** Returns the base of an error class: `class GoneError extends defineError({ … }) {}`. */
export function defineError<Given extends readonly unknown[] = []>(
  kind: ErrorKind<Given>,
): new (...given: Given) => SutureError {
  const { message, remedy, issues, cause, ...rest } = kind;
  return class extends SutureError {
    constructor(...given: Given) {
      super({
        ...rest,
        message: typeof message === "string" ? message : message(...given),
        remedy: typeof remedy === "string" ? remedy : remedy(...given),
        issues: issues?.(...given) ?? [],
        cause: cause?.(...given),
      });
    }
  };
}

import type { Problem } from "#shared/http";

/** A problem as the protocol's clients read it: `message` is all that they know, the rest is what ours know. */
export function writeProtocolProblem(problem: Problem): { readonly type: string; readonly body: object } {
  return { type: "application/json; charset=utf-8", body: { message: problem.detail, ...problem } };
}

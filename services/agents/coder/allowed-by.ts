import type { Task } from "./contracts.ts";
import type { Allowed } from "./diff/refuse-paths.ts";

/** What a task allows a diff to change. */
export function allowedBy({ editable, tests, may_change_tests: mayChangeTests, command }: Task): Allowed {
  return { editable, tests, mayChangeTests, command: command?.argv ?? [] };
}

import type { Logged } from "../durable-log.ts";
import type { SubmitLine } from "../submit-line.ts";
import { createTask, indexOf } from "../task.ts";
import type { Task } from "../task.ts";
import type { Evidence } from "./evidence.ts";

/** What the client knows of one task. */
export interface Submission {
  readonly task: Task;
  readonly runIds: ReadonlySet<string>;
  readonly wasUnknown: boolean;
  readonly wasRefused: boolean;
}

export function readSubmissions({ source, submitted }: Evidence): Submission[] {
  const lines = Map.groupBy(submitted, (line: Logged<SubmitLine>) => line.task);
  return [...lines].map(([name, own]) => ({
    task: createTask(source, indexOf(name)),
    runIds: new Set(own.flatMap((line) => (line.type === "acked" ? [line.run_id] : []))),
    wasUnknown: own.some((line) => line.type === "unknown"),
    wasRefused: own.some((line) => line.type === "refused"),
  }));
}

import { Part, TaskState } from "@a2a-js/sdk";
import type { Message, Task } from "@a2a-js/sdk";
import { z } from "zod";
import type { RemoteReply } from "#shared/runtime/remote";
import { RUN_EXTENSION } from "./sealed.ts";

/** Returns what an agent answered as text: its data as JSON, else its words. Empty where it said nothing. */
export function textOfAnswer(answer: Task | Message): string {
  if (!("status" in answer)) return textOfParts(answer.parts);
  const parts = answer.artifacts.flatMap((artifact) => artifact.parts);
  return textOfParts(parts.length > 0 ? parts : (answer.status?.message?.parts ?? []));
}

function textOfParts(parts: readonly Part[]): string {
  const data = parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value as unknown] : []));
  if (data.length > 0) return JSON.stringify(data.length === 1 ? data[0] : data) ?? "";
  return parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : [])).join("\n");
}

/** The cost that a task names, as our own gateway names it. A value that is no price counts as none. */
const billed = z.object({
  billing: z.object({
    cost_so_far: z.number().min(0).finite(),
    tokens_consumed: z.int().min(0).catch(0),
    currency: z.literal("USD"),
  }),
});

/** Returns the cost that a task tells of, at most `costMax`; nothing where it tells none, or may have none. */
export function costOfTask(
  { metadata }: Task | Message,
  costMax: number,
): Pick<RemoteReply, "cost" | "tokens"> {
  const { success, data } = billed.safeParse(metadata?.[RUN_EXTENSION]);
  if (!success || costMax === 0) return { cost: 0, tokens: 0 };
  return { cost: Math.min(data.billing.cost_so_far, costMax), tokens: data.billing.tokens_consumed };
}

const ENDS = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/** States in which the agent waits for its client, which is a message here and cannot answer. */
const ASKS = new Set([TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_AUTH_REQUIRED]);

/** Returns true when nothing more will happen to a task without its client. */
export function isOver(state: TaskState): boolean {
  return ENDS.has(state) || ASKS.has(state);
}

/** Returns true where another try of the same task would end the same way. */
export function isRefusal(state: TaskState): boolean {
  return state === TaskState.TASK_STATE_REJECTED || ASKS.has(state);
}

/** Returns a value as a part: a text as text, anything else as data. */
export function toPart(value: unknown): Part {
  return Part.fromJSON(
    typeof value === "string"
      ? { text: value, mediaType: "text/plain" }
      : { data: value, mediaType: "application/json" },
  );
}

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { DurableLog } from "../logs.ts";
import type { SubmitLine } from "../logs.ts";
import { createTask } from "../task.ts";
import type { Task } from "../task.ts";

/** A client, as a process: submits tasks at a steady rate, and repeats with the same key until it has an answer. */

const optionsSchema = z.object({
  url: z.string(),
  secret: z.string(),
  source: z.object({ seed: z.number(), mix: z.enum(["usual", "poison"]) }),
  logFile: z.string(),
  perSecond: z.number(),
  /** Tasks are begun for this long, in ms. */
  forMs: z.number(),
  /** Unanswered tasks are given up this long after the last was begun, in ms. */
  giveUpAfterMs: z.number(),
});

export type SubmitterOptions = z.infer<typeof optionsSchema>;

const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? "{}"));
const log = new DurableLog<SubmitLine>(options.logFile);
const REPLY_TIMEOUT_MS = 4000;
const REPEAT_DELAY_MS = 400;

const ackSchema = z.object({ run_id: z.string() });
const problemSchema = z.object({ code: z.string() });

/** Nobody can say whether it was done; not confirmed by a replica may also mean that it will be undone. */
const UNKNOWN_CODES: readonly string[] = ["acceptance_unknown", "acceptance_unconfirmed"];

type Answer = { readonly kind: "acked"; readonly run_id: string } | { readonly kind: "unknown" } | Turned;
type Turned = { readonly kind: "turned_away" | "refused"; readonly status: number };

async function ask(task: Task): Promise<Answer> {
  try {
    const reply = await fetch(`${options.url}${task.path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${options.secret}`,
        "content-type": "application/json",
        "idempotency-key": `${options.source.seed}-${task.task}`,
      },
      body: JSON.stringify(task.body),
      signal: AbortSignal.timeout(REPLY_TIMEOUT_MS),
    });
    const body: unknown = await reply.json();
    if (reply.status === 202) return { kind: "acked", run_id: ackSchema.parse(body).run_id };
    if (UNKNOWN_CODES.includes(problemSchema.parse(body).code)) return { kind: "unknown" };
    const mayComeAgain = reply.status === 429 || reply.status >= 500;
    return { kind: mayComeAgain ? "turned_away" : "refused", status: reply.status };
  } catch {
    return { kind: "unknown" };
  }
}

async function submit(task: Task, giveUpAtMs: number): Promise<void> {
  log.write({ type: "began", task: task.task, kind: task.kind });
  while (performance.now() < giveUpAtMs) {
    const answer = await ask(task);
    switch (answer.kind) {
      case "acked":
        return log.write({ type: "acked", task: task.task, run_id: answer.run_id });
      case "refused":
        return log.write({ type: "refused", task: task.task, status: answer.status });
      case "turned_away":
        log.write({ type: "turned_away", task: task.task, status: answer.status });
        break;
      case "unknown":
        log.write({ type: "unknown", task: task.task });
        if (task.isAbandoned) return log.write({ type: "abandoned", task: task.task });
    }
    await sleep(REPEAT_DELAY_MS);
  }
}

const endsAtMs = performance.now() + options.forMs;
const underway: Promise<void>[] = [];
for (let index = 0; performance.now() < endsAtMs; index += 1) {
  underway.push(submit(createTask(options.source, index), endsAtMs + options.giveUpAfterMs));
  await sleep(1000 / options.perSecond);
}
await Promise.all(underway);

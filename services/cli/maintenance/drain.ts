import { sleep } from "#shared/clock";
import { EXIT } from "../errors.ts";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";

const LOOK_EVERY_MS = 1000;

interface DrainOptions extends Connection {
  readonly undo: boolean;
  readonly within: number;
  readonly why?: string;
}

/** Closes the gateways to new tasks and waits for what is under way; says each change. @returns The exit code. */
export async function runDrain({ undo, within, why = "", ...connection }: DrainOptions): Promise<number> {
  const client = openClient(findApi("console", connection));
  const body = { why };
  if (undo) {
    const opened = await answerOf(client.POST("/v1/intake/open", { body }));
    if (connection.json === true) printJson(opened);
    else write("New tasks are taken again.");
    return EXIT.done;
  }
  let seen = await answerOf(client.POST("/v1/intake/close", { body }));
  const say = (): string => describe(seen.waiting);
  if (connection.json !== true) write(`New tasks are refused with 503. ${say()}`);
  const untilMs = performance.now() + within * 1000;
  while (countOf(seen.waiting) > 0 && performance.now() < untilMs) {
    await sleep(LOOK_EVERY_MS);
    const before = say();
    seen = await answerOf(client.GET("/v1/maintenance"));
    if (connection.json !== true && say() !== before) write(say());
  }
  if (connection.json === true) printJson(seen);
  else if (countOf(seen.waiting) > 0)
    write(
      'Not all is done. Decide cases with "suture ward", wait again, or undo it with "suture drain --undo".',
    );
  return countOf(seen.waiting) === 0 ? EXIT.done : EXIT.failed;
}

type Waiting = Readonly<Record<"queued" | "running" | "in_ward" | "quarantined", number>>;

function countOf(waiting: Waiting): number {
  return waiting.queued + waiting.running + waiting.in_ward + waiting.quarantined;
}

function describe(waiting: Waiting): string {
  if (countOf(waiting) === 0) return "No run is left.";
  const { queued, running, in_ward, quarantined } = waiting;
  return `Left: ${queued} queued, ${running} running, ${in_ward} in the ward, ${quarantined} waiting for a person.`;
}

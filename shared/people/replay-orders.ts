import { z } from "zod";
import { now, sleep, uuidv7 } from "#shared/clock";
import { problemSchema } from "#shared/http";
import { readJson } from "#shared/json";
import type { Store } from "#shared/store";

type Book = Pick<Store, "replays">;

const orderSchema = z.object({
  run_id: z.string(),
  message_id: z.string(),
  /** Absent: the recorded payload. */
  data_payload: z.unknown().optional(),
  by: z.string(),
  at_ms: z.number(),
});

/** A person's order to run again from a recorded message, as a new run. */
export type ReplayOrder = z.output<typeof orderSchema>;

const answerSchema = z.union([
  z.object({ run_id: z.string(), trace_id: z.string(), message_id: z.string() }),
  problemSchema,
]);

/** The run that began, or why none did. */
export type ReplayAnswer = z.output<typeof answerSchema>;

const LOOK_EVERY_MS = 100;
/** An order that nobody carried out in this time is not carried out any more. */
const ORDER_LIFE_MS = 60_000;

/** Orders a replay, and waits for what a gateway makes of it; null: none took it in time, and none will. */
export async function orderReplay(
  { replays }: Book,
  order: Omit<ReplayOrder, "at_ms">,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<ReplayAnswer | null> {
  const id = uuidv7();
  const untilMs = now() + waitMs;
  const read = async (): Promise<ReplayAnswer | null> =>
    answerSchema.safeParse(readJson((await replays.answerOf(id)) ?? "")).data ?? null;
  await replays.give(id, JSON.stringify({ ...order, at_ms: now() }));
  try {
    let answer = await read();
    while (answer === null && now() < untilMs && !signal.aborted) {
      await sleep(LOOK_EVERY_MS);
      answer = await read();
    }
    return answer;
  } finally {
    await replays.takeBack(id);
  }
}

/** Reads the orders that no gateway has answered. */
export async function readReplays({
  replays,
}: Book): Promise<{ readonly id: string; readonly order: ReplayOrder }[]> {
  const read = Object.entries(await replays.read()).flatMap(([id, text]) => {
    const { data: order } = orderSchema.safeParse(readJson(text));
    return order === undefined || now() - order.at_ms > ORDER_LIFE_MS ? [] : [{ id, order }];
  });
  const answers = await Promise.all(read.map(({ id }) => replays.answerOf(id)));
  return read.filter((_, place) => answers[place] === null);
}

/** Tells what became of an order. */
export function answerReplay({ replays }: Book, id: string, answer: ReplayAnswer): Promise<void> {
  return replays.answer(id, JSON.stringify(answer));
}

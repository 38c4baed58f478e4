import { z } from "zod";
import { now } from "#shared/clock";
import { readJson } from "#shared/json";
import type { Store } from "#shared/store";

type OrderBook = Pick<Store, "orders">;

const pauseSchema = z.object({
  /** Plain name of the agent; also `ward`, for the surgeon. */
  agent: z.string(),
  by: z.string(),
  at_ms: z.number(),
  is_paused: z.boolean(),
});

/** A person's order that pauses or resumes an agent's queues, valid until the next one. */
export type PauseOrder = z.output<typeof pauseSchema>;

/** Orders an agent, or the surgeon (`ward`), to pause or to go on. Its workers apply it to the queues. */
export function orderPause(
  { orders }: OrderBook,
  { agent, is_paused, by }: Omit<PauseOrder, "at_ms">,
): Promise<void> {
  return orders.write(`pause:${agent}`, JSON.stringify({ agent, is_paused, by, at_ms: now() }));
}

/** Reads the pause orders, by agent. */
export async function readPauses({ orders }: OrderBook): Promise<ReadonlyMap<string, PauseOrder>> {
  const texts = Object.entries(await orders.read()).filter(([place]) => place.startsWith("pause:"));
  const read = texts.flatMap(([, text]) => pauseSchema.safeParse(readJson(text)).data ?? []);
  return new Map(read.map((order) => [order.agent, order]));
}

const intakeSchema = z.object({ is_closed: z.boolean(), by: z.string(), at_ms: z.number() });

/** A person's order that gateways take no new tasks, or take them again. */
export type IntakeOrder = z.output<typeof intakeSchema>;

const INTAKE = "intake";

/** Orders all gateways to refuse new tasks, or to take them again. They obey within a second. */
export function orderIntake(
  { orders }: OrderBook,
  { is_closed, by }: Omit<IntakeOrder, "at_ms">,
): Promise<void> {
  return orders.write(INTAKE, JSON.stringify({ is_closed, by, at_ms: now() }));
}

/** Reads the order about new tasks; null while nobody has given one. */
export async function readIntake({ orders }: OrderBook): Promise<IntakeOrder | null> {
  return intakeSchema.safeParse(readJson((await orders.read())[INTAKE] ?? "")).data ?? null;
}

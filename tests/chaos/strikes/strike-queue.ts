import { sleep } from "#shared/clock";
import { createFirst } from "#shared/envelope";
import { seal } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { Store } from "#shared/store";
import type { JobData, Job } from "#shared/store/queues";
import { drawInteger } from "../draw.ts";
import { askUntilAnswered } from "../ask-until-answered.ts";
import type { FaultOf, Struck, Victim } from "../plan/faults.ts";
import type { Deployment } from "../deployment.ts";
import { CURRENT_RELEASE } from "../team/chain.ts";

const POLL_MS = 30;
const DESTROYED_MAX = 3;
const FORGED_NOTE = "forged";
const TTL_MS = 24 * 3_600_000;
const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** Ways in which what is stored of a job can be bad. `text` is its JSON as it was. */
const DESTRUCTIONS: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, text.length / 2),
  (text) => text.replace(/[a-f]/, "%"),
  () => "",
  () => "null",
  () => "[]",
  () => "{}",
  () => "\u0000\u0001 no JSON",
  (text) => text.replaceAll("amount", "am0unt"),
];

const RUN_ID = /"run_id\\?":\\?"([0-9a-f-]{36})/;

/** Destroys the stored data of some jobs while they wait, in a paused queue that goes on with them. */
export async function corruptWaiting({ store }: Deployment, fault: FaultOf<"corrupt">): Promise<Struck> {
  const agent = fault.target;
  const queue = store.queues.of(agent, "fresh");
  const victims: Victim[] = [];
  await askUntilAnswered(() => queue.pause());
  try {
    const endsAtMs = performance.now() + fault.durationMs;
    // By the raw list: the engine could not read what an earlier fault has left there.
    const list = (): Promise<string[]> =>
      askUntilAnswered(() => store.redis.lrange(store.keys.job(agent, "wait"), 0, DESTROYED_MAX - 1));
    let waiting = await list();
    while (waiting.length === 0 && performance.now() < endsAtMs) {
      await sleep(POLL_MS);
      waiting = await list();
    }
    for (const [index, id] of waiting.entries()) {
      const key = store.keys.job(agent, id);
      const text = (await askUntilAnswered(() => store.redis.hget(key, "data"))) ?? "";
      const runId = RUN_ID.exec(text)?.[1];
      // A forged message that is destroyed as well ends as what cannot be read, and would prove nothing.
      if (runId === undefined || text.includes(FORGED_NOTE)) continue;
      const way = drawInteger({ min: 0, max: DESTRUCTIONS.length - 1 }, fault.atMs, index);
      await askUntilAnswered(() => store.redis.hset(key, "data", DESTRUCTIONS[way]?.(text) ?? ""));
      victims.push({ messageId: id, runId });
    }
  } finally {
    await askUntilAnswered(() => queue.resume());
  }
  return { struck: victims.length > 0, victims };
}

/** Puts messages into a queue that nobody who may do so has sealed: each must be in quarantine, unread. */
export async function forge({ store, keyring }: Deployment, fault: FaultOf<"forge">): Promise<Struck> {
  const victims: Victim[] = [];
  for (const [index, forgery] of FORGERIES.entries()) {
    const envelope = createOrder(fault, index);
    const key = keyring.signing("gateway", "chaos-intake");
    const { message } = seal({ envelope, queue: "chaos-intake", key });
    const jobId = envelope.meta.message_id;
    const job = {
      lane: "fresh",
      agent: fault.target,
      jobId,
      data: forgery({ ...message }, envelope),
      delayMs: 0,
      priority: "normal",
    } as const;
    if (await isAdded(store, job)) victims.push({ messageId: jobId, runId: null });
  }
  return { struck: victims.length > 0, victims };
}

/** Another fault may keep Redis from taking it: no memory, no disk, read-only. Then there is no such message. */
async function isAdded(store: Store, job: Job): Promise<boolean> {
  try {
    // Its id is its own, so that the engine takes it once however often it is asked.
    await askUntilAnswered(() => store.queues.add(job), { isFinal: isRefusal });
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === "ReplyError";
}

/** Changes that make a forgery of a well-sealed message. */
const FORGERIES: readonly ((sealed: JobData, envelope: Envelope) => JobData)[] = [
  (sealed) => ({ ...sealed, seal: undefined }),
  (sealed) => ({ ...sealed, sealed: String(sealed["sealed"]).replace('"calm"', '"kills"') }),
  (_sealed, envelope) => ({ ...envelope }),
  (sealed) => ({ ...sealed, seal: { alg: "none", key_id: "none", value: "" } }),
];

function createOrder(fault: FaultOf<"forge">, index: number): Envelope {
  const { order } = CURRENT_RELEASE.contracts;
  return createFirst({
    to: `chaos-intake@${CURRENT_RELEASE.version}`,
    contract: order.id,
    payload: { task: `f-${fault.atMs}-${index}`, amount: 1, note: FORGED_NOTE, mood: "calm" },
    traceparent: TRACEPARENT,
    ttlMs: TTL_MS,
  });
}

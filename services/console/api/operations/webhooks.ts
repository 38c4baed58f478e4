import { now, sleep, uuidv7 } from "#shared/clock";
import { AbsentError } from "#shared/http";
import type { Delivery } from "#shared/store/feedback";
import { auditAction } from "../../audit/audit-changes.ts";
import type { Handler } from "../../console.ts";

/** Time for a test event, in ms: as long as a surgeon waits for the receiver, and its round before that. */
const TEST_WAIT_MS = 15_000;
const LOOK_EVERY_MS = 200;

/** Receivers of webhooks as the surgeon tells them, which alone has their secrets. */
export const listWebhooks: Handler<"listWebhooks"> = async ({ console: { store } }) => {
  const { notices } = store;
  const [dropped, shown] = await Promise.all([notices.dropped(), notices.shown()]);
  const receivers = shown.map(async (one) => {
    const { receiver } = one;
    const [waiting, next, deliveries] = await Promise.all([
      notices.waiting(receiver),
      notices.next(receiver),
      notices.deliveries(receiver),
    ]);
    return { ...one, waiting, next, deliveries };
  });
  return { dropped, receivers: await Promise.all(receivers) };
};

/** Orders a test event, and waits for what the surgeon makes of it. */
export const testWebhook: Handler<"testWebhook"> = async ({ console, params, body, caller, signal }) => {
  const { notices } = console.store;
  const { receiver } = params;
  const found = (await notices.shown()).find((one) => one.receiver === receiver);
  if (found === undefined) throw new AbsentError("receiver");
  const detail = { receiver, host: found.host };
  await auditAction(console.store, { by: caller.name, action: "webhook.test", why: body.why, detail });
  const id = uuidv7();
  const untilMs = now() + TEST_WAIT_MS;
  let delivery: Delivery | undefined;
  await notices.orderTest(id, receiver);
  try {
    while (delivery === undefined && now() < untilMs && !signal.aborted) {
      await sleep(LOOK_EVERY_MS);
      delivery = (await notices.deliveries(receiver)).find((one) => one.id === id);
    }
  } finally {
    await notices.takeBackTest(id);
  }
  return { delivery: delivery ?? null };
};

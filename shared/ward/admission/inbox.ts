import { sleep } from "#shared/clock";
import { SutureError } from "#shared/errors";
import { isRecord, readJson } from "#shared/json";
import type { Store } from "#shared/store";
import { moveInboxEntry } from "#shared/store/cases";
import type { Admission } from "#shared/store/settlement";
import { admitCase } from "./admit.ts";
import { AdmissionInvalidError } from "../errors.ts";

interface InboxOptions {
  readonly store: Store;
  readonly logger: { error(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/** Dead messages taken in at once. */
const AT_ONCE = 50;

/** Longest wait for the next dead message before the inbox is looked at again, in seconds. */
const WAIT_S = 5;

/** Pause after an error of Redis, in ms. */
const PAUSE_MS = 500;

/** Maximum unreadable entries that are kept; the oldest go first. */
const REFUSED_MAX = 1000;

/**
 * Moves dead messages from the inbox, to which agents can only append, into cases. Safe in several processes and
 * through crashes: admission is idempotent. What cannot be read is kept for a newer release. @returns Stops it.
 */
export function takeInDeadMessages(options: InboxOptions): () => void {
  const { store, logger } = options;
  const stopping = new AbortController();
  // A blocking command holds up those behind it.
  const bell = store.connectAnother("worker");
  bell.on("error", () => undefined);
  const inbox = store.keys.inbox();
  const loop = async (): Promise<void> => {
    await readAgain(store).catch(() => undefined);
    while (!stopping.signal.aborted) {
      try {
        if ((await takeIn(options)) > 0) continue;
        // Moves the first entry to where it stands, which leaves it there and waits for one.
        await bell.blmove(inbox, inbox, "LEFT", "LEFT", WAIT_S);
      } catch (error) {
        if (stopping.signal.aborted) return;
        logger.warn({ err: error }, "the inbox of the ward cannot be read");
        await sleep(PAUSE_MS, stopping.signal).catch(() => undefined);
      }
    }
  };
  void loop();
  return () => {
    stopping.abort();
    bell.disconnect();
  };
}

/** Puts back what a process before could not read. */
async function readAgain({ redis, keys }: Store): Promise<void> {
  for (let n = 0; n < REFUSED_MAX; n += 1)
    if ((await redis.lmove(keys.inboxRefused(), keys.inbox(), "LEFT", "RIGHT")) === null) return;
}

/** Takes in what waits, oldest first. @returns How many left the inbox. @throws The first error if none did. */
async function takeIn({ store, logger }: InboxOptions): Promise<number> {
  const { redis, keys } = store;
  const texts = await redis.lrange(keys.inbox(), 0, AT_ONCE - 1);
  const taken = await Promise.allSettled(
    texts.map(async (text) => {
      const error = await admit(store, text);
      if (error === null) return;
      const isInvalid = error instanceof AdmissionInvalidError;
      if (isInvalid)
        logger.error({ err: error }, "an entry of the inbox is no dead message: it is kept aside");
      await moveInboxEntry(store, text, { most: isInvalid ? REFUSED_MAX : 0 });
      if (!isInvalid) throw error;
    }),
  );
  const failed = taken.filter((one) => one.status === "rejected");
  if (failed.length > 0 && failed.length === taken.length) throw failed[0]?.reason;
  return taken.length - failed.length;
}

/** @returns Why it is not admitted, or null. @throws an error of Redis. */
async function admit(store: Store, text: string): Promise<SutureError | null> {
  try {
    await admitCase(store, readEntry(text), text);
    return null;
  } catch (error) {
    if (error instanceof SutureError) return error;
    throw error;
  }
}

/** @throws {AdmissionInvalidError} */
function readEntry(text: string): Admission {
  const entry = readJson(text);
  // `admitCase` holds the rest against its schema.
  if (isRecord(entry) && typeof entry["case_id"] === "string") return { ...entry, case_id: entry["case_id"] };
  throw new AdmissionInvalidError("", []);
}

import { sleep } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import type { Store } from "#shared/store";
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

/** Entries that nobody can admit and that are kept for a person to look at. */
const REFUSED_MAX = 1000;

/**
 * Takes in dead messages: moves each from the inbox, to which agents can only append, into a case of the ward. Safe in
 * several processes and through crashes: admission is idempotent, and an entry leaves the inbox after it.
 *
 * @returns Stops it. What is under way ends by itself, or with the store's connection.
 */
export function takeInDeadMessages(options: InboxOptions): () => void {
  const { store, logger } = options;
  const stopping = new AbortController();
  // A blocking command holds up those behind it.
  const bell = store.connectAnother("worker");
  bell.on("error", () => undefined);
  const inbox = store.keys.inbox();
  const loop = async (): Promise<void> => {
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

/** Takes in what waits, oldest first. @returns The number of entries that left the inbox. */
async function takeIn({ store, logger }: InboxOptions): Promise<number> {
  const inbox = store.keys.inbox();
  const texts = await store.redis.lrange(inbox, 0, AT_ONCE - 1);
  const taken = await Promise.allSettled(
    texts.map(async (text) => {
      try {
        await admitCase(store, readEntry(text));
      } catch (error) {
        if (!(error instanceof AdmissionInvalidError)) throw error;
        logger.error({ err: error }, "an entry of the inbox is no dead message: it is kept aside");
        await store.redis.lpush(`${inbox}:refused`, text);
        await store.redis.ltrim(`${inbox}:refused`, 0, REFUSED_MAX - 1);
      }
      crashPoint("W24:after_case_before_inbox");
      await store.redis.lrem(inbox, 1, text);
    }),
  );
  const failed = taken.find((one) => one.status === "rejected");
  if (failed !== undefined && taken.every((one) => one.status === "rejected")) throw failed.reason;
  return taken.filter((one) => one.status === "fulfilled").length;
}

/** @throws {AdmissionInvalidError} */
function readEntry(text: string): Admission {
  try {
    const entry: unknown = JSON.parse(text);
    // `admitCase` holds the rest against its schema.
    if (typeof entry === "object" && entry !== null && "case_id" in entry) return entry as Admission;
  } catch {
    // Below.
  }
  throw new AdmissionInvalidError("", []);
}

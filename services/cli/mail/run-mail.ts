import { GatewayProblemError } from "#shared/client";
import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { CommandRefusedError } from "../errors.ts";
import { answerOf, openClient } from "../http/call-api.ts";
import type { Api } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { storeThrough } from "../http/store-files.ts";
import { openMailbox } from "./mailbox.ts";
import { keepTaking, takeMails } from "./take-mails.ts";
import type { TakeOptions } from "./take-mails.ts";
import { printJson, write } from "../print/print-answer.ts";

/** Pause between two looks into the mailbox. */
const EVERY_MS = 10_000;
/** Largest mail that is taken; a larger one is flagged and left to a person. */
const BYTES_MAX = 10 * 1024 * 1024;

/** Makes a task of every unseen mail: once, or until this process is asked to stop. */
export async function runMail(options: Connection & { readonly once: boolean }): Promise<void> {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: options.dataDir });
  const { imapUrl, mailFolder } = config.outside;
  if (imapUrl === null)
    throw new CommandRefusedError(
      "No mailbox is configured.",
      "Set SUTURE_IMAP_URL to imaps://user:password@host:993.",
    );
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const take = takeOptions(config, { gateway: findApi("gateway", options), signal: stop.signal });
  const open = () => openMailbox({ url: imapUrl, folder: mailFolder });
  if (!options.once) return keepTaking(open, { ...take, everyMs: EVERY_MS });
  const mailbox = await open();
  try {
    const counts = await takeMails(mailbox, take);
    if (options.json === true) printJson(counts);
    else write(`${counts.taken} taken, ${counts.skipped} not answered, ${counts.refused} left to a person.`);
  } finally {
    await mailbox.close();
  }
}

interface Ends {
  readonly gateway: Api;
  readonly signal: AbortSignal;
}

function takeOptions({ outside }: Config, { gateway, signal }: Ends): TakeOptions {
  const store = storeThrough(gateway, signal);
  return {
    own: outside.mailFrom === null ? [] : [outside.mailFrom],
    bytesMax: BYTES_MAX,
    // Standard output is for the result.
    say: (line) => void process.stderr.write(`${line}\n`),
    signal,
    submit: ({ idempotencyKey, input }) => {
      const headers = { "idempotency-key": idempotencyKey };
      const body = { team: outside.mailTeam, input: { ...input } };
      return answerOf(openClient(gateway).POST("/v1/tasks", { body, headers }));
    },
    store: async ({ name, content }) => {
      try {
        return { name, ...(await store(content)) };
      } catch (error) {
        // Too large, or of a kind that is not kept.
        if (error instanceof GatewayProblemError && [413, 415, 422].includes(error.status)) return null;
        throw error;
      }
    },
  };
}

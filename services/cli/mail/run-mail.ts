import type { FileReference } from "#shared/client";
import { sleep } from "#shared/clock";
import { loadConfig } from "#shared/config";
import { CommandRefusedError, refusedWith } from "../errors.ts";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { storeThrough } from "../http/store-files.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { printJson, write } from "../print/print-answer.ts";
import { openMailbox } from "./mailbox.ts";
import type { Mailbox, UnseenMail } from "./mailbox.ts";
import { readMail } from "./read-mail.ts";
import type { ReadMail } from "./read-mail.ts";

/** Pause between two looks into the mailbox. */
const EVERY_MS = 10_000;
/** Largest mail that is taken; a larger one is flagged and left to a person. */
const BYTES_MAX = 10 * 1024 * 1024;
/** Most files of one mail that are kept; the rest is named in the text. */
const FILES_MAX = 50;
/** Answers of the service that concern no single mail: the key, the load. */
const NOT_THE_MAILS_FAULT: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

/** A file as a task refers to it. */
type StoredFile = FileReference & { readonly name: string };

/** The task of a mail: its input, and the key that makes a repeat the same task. */
export interface MailTask {
  readonly idempotencyKey: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface TakeOptions {
  /** Gives a task to a team; resolves once it is accepted. */
  readonly submit: (task: MailTask) => Promise<{ readonly run_id: string }>;
  /** Keeps a file; null where the service will not. */
  readonly store: (file: ReadMail["files"][number]) => Promise<StoredFile | null>;
  /** Addresses that answers are sent from. */
  readonly own: readonly string[];
  readonly bytesMax: number;
  /** Says in a line what happened; no line holds an address or a word of a mail. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Numbers of mails by outcome. */
interface TakenMails {
  readonly taken: number;
  readonly skipped: number;
  readonly refused: number;
}

/** Makes a task of every unseen mail: once, or until this process is asked to stop. */
export async function runMail(options: Connection & { readonly once: boolean }): Promise<void> {
  const overrides = { SUTURE_DATA_DIR: options.dataDir };
  const { imapUrl, mailFolder, mailFrom, mailTeam: team } = loadConfig(undefined, overrides);
  if (imapUrl === null)
    throw new CommandRefusedError(
      "No mailbox is configured.",
      "Set SUTURE_IMAP_URL to imaps://user:password@host:993.",
    );
  const gateway = findApi("gateway", options);
  const { signal, release } = listenForStop(() => process.exit(1));
  const store = storeThrough(gateway, signal);
  const take: TakeOptions = {
    own: mailFrom === null ? [] : [mailFrom],
    bytesMax: BYTES_MAX,
    // Standard output is for the result.
    say: (line) => void process.stderr.write(`${line}\n`),
    signal,
    submit: ({ idempotencyKey, input }) => {
      const headers = { "idempotency-key": idempotencyKey };
      return answerOf(
        openClient(gateway).POST("/v1/tasks", { body: { team, input: { ...input } }, headers }),
      );
    },
    store: async ({ name, content }) => {
      try {
        return { name, ...(await store(content)) };
      } catch (error) {
        // Too large, or of a kind that is not kept.
        if ([413, 415, 422].includes(refusedWith(error) ?? 0)) return null;
        throw error;
      }
    },
  };
  const look = async () => {
    const mailbox = await openMailbox({ url: imapUrl, folder: mailFolder });
    try {
      return await takeMails(mailbox, take);
    } finally {
      await mailbox.close();
    }
  };
  if (options.once) {
    const counts = await look();
    if (options.json === true) printJson(counts);
    else write(`${counts.taken} taken, ${counts.skipped} not answered, ${counts.refused} left to a person.`);
  }
  // A failing mailbox or service is looked at again after the pause.
  while (!options.once && !signal.aborted) {
    await look().catch((error: unknown) =>
      take.say(error instanceof Error ? error.message : "The mailbox failed."),
    );
    await sleep(EVERY_MS, signal).catch(() => undefined);
  }
  release();
}

/** Makes a task of every unseen mail, in order, marks it seen once accepted; stars what is refused. */
export async function takeMails(mailbox: Mailbox, options: TakeOptions): Promise<TakenMails> {
  const counts = { taken: 0, skipped: 0, refused: 0 };
  for (const unseen of await mailbox.list()) {
    if (options.signal.aborted) break;
    counts[await takeMail(unseen, mailbox, options)] += 1;
  }
  return counts;
}

async function takeMail(
  unseen: UnseenMail,
  mailbox: Mailbox,
  options: TakeOptions,
): Promise<keyof TakenMails> {
  const { uid, bytes } = unseen;
  const { say, own, bytesMax } = options;
  if (bytes > bytesMax) {
    await mailbox.mark(uid, "$SutureRefused", true);
    say(`Mail ${uid} is larger than ${bytesMax} bytes: left to a person.`);
    return "refused";
  }
  const source = await mailbox.read(uid);
  // Somebody has moved it meanwhile.
  if (source === null) return "skipped";
  const reading = await readMail(source, own);
  if (reading.kind === "skip") {
    await mailbox.mark(uid, "$SutureSkipped");
    say(`Mail ${uid} is not answered: ${reading.why}.`);
    return "skipped";
  }
  try {
    const { run_id } = await options.submit(await taskOf(reading.mail, unseen, options));
    await mailbox.mark(uid, "$SutureTaken");
    say(`Mail ${uid} is run ${run_id}.`);
    return "taken";
  } catch (error) {
    const status = refusedWith(error);
    if (status === null || !isAboutTheMail(status)) throw error;
    await mailbox.mark(uid, "$SutureRefused", true);
    say(`Mail ${uid} was refused with status ${status}: left to a person.`);
    return "refused";
  }
}

function isAboutTheMail(status: number): boolean {
  return status >= 400 && status < 500 && !NOT_THE_MAILS_FAULT.has(status);
}

async function taskOf(mail: ReadMail, { receivedAt }: UnseenMail, options: TakeOptions): Promise<MailTask> {
  const { from, subject, body, messageId, references, files, idempotencyKey } = mail;
  const kept: StoredFile[] = [];
  const named: string[] = [];
  for (const file of files) {
    const stored = kept.length < FILES_MAX ? await options.store(file) : null;
    if (stored === null) named.push(`[File that was not kept: ${file.name}]`);
    else kept.push(stored);
  }
  const input = {
    from,
    subject,
    body: [body, ...named].join("\n"),
    received_at: receivedAt,
    attachments: kept,
    message_id: messageId,
    references,
  };
  return { idempotencyKey, input };
}

import { ImapFlow } from "imapflow";
import type { Secret } from "#shared/config";
import { MailboxFailedError } from "../errors.ts";

/** Keywords that tell a person in their mail program what became of a mail. */
export type MailMark = "$SutureTaken" | "$SutureSkipped" | "$SutureRefused";

/** A mail that nobody has seen. */
export interface UnseenMail {
  readonly uid: number;
  readonly bytes: number;
  /** Time at which the server received it, RFC 3339. */
  readonly receivedAt: string;
}

export interface MailboxOptions {
  /** `imaps://user:password@host:993` or `imap://…`. */
  readonly url: Secret;
  readonly folder: string;
}

/** One open folder of a mailbox. */
export type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

const TIMEOUT_MS = 30_000;
const LISTED_MAX = 500;

/** Opens a folder over IMAP, with TLS unless local. @throws {MailboxFailedError} Server, login or folder fail. */
export async function openMailbox({ url, folder }: MailboxOptions) {
  const client = connectTo(url);
  // Kept for the call that runs into it: an error nobody listens to would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.mailboxOpen(folder);
  } catch (cause) {
    client.close();
    throw new MailboxFailedError(cause);
  }
  return {
    /** Oldest first. */
    list: () => orFail(() => listUnseen(client)),
    read: (uid: number) =>
      orFail(async () => {
        const found = await client.fetchOne(String(uid), { source: true }, { uid: true });
        return found === false || found.source === undefined ? null : new Uint8Array(found.source);
      }),
    /** Marks a mail as seen, with a keyword where the server keeps such; `isFlagged` stars it for a person. */
    mark: (uid: number, mark: MailMark, isFlagged = false) =>
      orFail(async () => {
        const keeps = client.mailbox === false ? undefined : client.mailbox.permanentFlags;
        const keyword = keeps?.has("\\*") === true ? [mark] : [];
        const flags = ["\\Seen", ...(isFlagged ? ["\\Flagged"] : []), ...keyword];
        await client.messageFlagsAdd(String(uid), flags, { uid: true });
      }),
    close: async () => {
      await client.logout().catch(() => client.close());
    },
  };
}

function connectTo(url: Secret): ImapFlow {
  const { protocol, hostname, port, username, password } = new URL(url.reveal());
  const isSecure = protocol === "imaps:";
  const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  return new ImapFlow({
    host: hostname,
    port: port === "" ? (isSecure ? 993 : 143) : Number(port),
    secure: isSecure,
    ...(isSecure || isLocal ? {} : { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    // It would log addresses and commands.
    logger: false,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}

async function listUnseen(client: ImapFlow): Promise<readonly UnseenMail[]> {
  // Lets the server say what has come since the folder was opened.
  await client.noop();
  const uids = await client.search({ seen: false, deleted: false }, { uid: true });
  if (uids === false || uids === undefined || uids.length === 0) return [];
  const listed: UnseenMail[] = [];
  const range = uids.slice(0, LISTED_MAX).join(",");
  for await (const mail of client.fetch(range, { size: true, internalDate: true }, { uid: true })) {
    const receivedAt = new Date(mail.internalDate ?? 0).toISOString();
    listed.push({ uid: mail.uid, bytes: mail.size ?? 0, receivedAt });
  }
  return listed.toSorted((a, b) => a.uid - b.uid);
}

async function orFail<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    throw new MailboxFailedError(cause);
  }
}

import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Secret } from "#shared/config";
import { RequestRefusedError } from "../services/cli/errors.ts";
import { openMailbox } from "../services/cli/mail/mailbox.ts";
import type { Mailbox } from "../services/cli/mail/mailbox.ts";
import { takeMails } from "../services/cli/mail/run-mail.ts";
import type { MailTask, TakeOptions } from "../services/cli/mail/run-mail.ts";
import { startImapServer, whyNoMailServers } from "./support/mail-servers.ts";
import type { ImapBox, ImapServer } from "./support/mail-servers.ts";

const missing = whyNoMailServers();
if (missing !== null) process.stdout.write(`skipped: mail against real servers, because ${missing}\n`);

const head = (more = "") =>
  `From: Kim <Kim@Mail.example>\nTo: support@shop.example\nSubject: =?utf-8?q?Tass?= =?utf-8?q?e_=C3=BC?=\nMessage-ID: <m1@mail.example>\n${more}`;

describe.skipIf(missing !== null)("mail in, from a real IMAP server", () => {
  let server: ImapServer;
  let box: ImapBox;
  let boxes = 0;
  let mailbox: Mailbox | null = null;
  let tasks: MailTask[];
  let said: string[];
  beforeAll(async () => {
    server = await startImapServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    boxes += 1;
    box = server.openBox(`kim${boxes}`);
    mailbox = await openMailbox({ url: new Secret(box.url), folder: "INBOX" });
    tasks = [];
    said = [];
  });
  afterEach(async () => {
    await mailbox?.close();
    mailbox = null;
  });
  const opened = (): Mailbox => {
    if (mailbox === null) throw new Error("no mailbox is open");
    return mailbox;
  };
  const take = (changes: Partial<TakeOptions> = {}) =>
    takeMails(opened(), {
      submit: async (task) => {
        tasks.push(task);
        return Promise.resolve({ run_id: `run-${tasks.length}` });
      },
      store: async ({ name, content }) => {
        const sha256 = createHash("sha256").update(content).digest("hex");
        const file = {
          name,
          uri: `blob:${sha256}`,
          mime_type: "application/pdf",
          bytes: content.length,
          sha256,
        };
        return Promise.resolve(file);
      },
      own: ["support@shop.example"],
      bytesMax: 100_000,
      say: (line) => said.push(line),
      signal: new AbortController().signal,
      ...changes,
    });

  it("makes one task of an unseen mail and marks it as seen, also when asked again", async () => {
    box.deliver(`${head("References: <a@x> <b@x>\nIn-Reply-To: <b@x>\n")}\nThe cup is broken.\n`);
    expect(await take()).toEqual({ taken: 1, skipped: 0, refused: 0 });
    expect(await take()).toEqual({ taken: 0, skipped: 0, refused: 0 });
    expect(tasks).toHaveLength(1);
    expect(tasks[0]?.input).toMatchObject({
      from: "kim@mail.example",
      subject: "Tasse ü",
      body: "The cup is broken.",
      message_id: "<m1@mail.example>",
      references: ["<a@x>", "<b@x>"],
      attachments: [],
    });
    expect(box.flags()[0]).toContain("S");
  });

  it("submits again under the same key where it was ended between submitting and marking", async () => {
    box.deliver(`${head()}\nThe cup is broken.\n`);
    const mark = () => Promise.reject(new Error("killed here"));
    const dying = { ...opened(), mark };
    const options = {
      own: [],
      bytesMax: 100_000,
      say: () => undefined,
      signal: new AbortController().signal,
    };
    const submit = async (task: MailTask) => {
      tasks.push(task);
      return Promise.resolve({ run_id: "run" });
    };
    const store = () => Promise.resolve(null);
    await expect(takeMails(dying, { ...options, submit, store })).rejects.toThrow("killed here");
    expect(await take()).toMatchObject({ taken: 1 });
    const [first, second] = tasks;
    expect(second).toEqual(first);
    expect(first?.idempotencyKey).toMatch(/^mail-[0-9a-f]{64}$/);
  });

  it("stars for a person what is too large and what the service refuses", async () => {
    box.deliver(`${head()}\n${"x".repeat(2000)}\n`);
    expect(await take({ bytesMax: 1000 })).toEqual({ taken: 0, skipped: 0, refused: 1 });
    box.deliver(`${head()}\nTwo.\n`);
    const submit = () => Promise.reject(new RequestRefusedError({ status: 422, message: "No.", places: [] }));
    expect(await take({ submit })).toEqual({ taken: 0, skipped: 0, refused: 1 });
    expect(box.flags()).toEqual([expect.stringContaining("F"), expect.stringContaining("F")]);
    expect(tasks).toEqual([]);
  });

  it("says what is wrong with a login, without the password", async () => {
    const url = new Secret(box.url.replace("secr%40et", "hunter2"));
    const failed = openMailbox({ url, folder: "INBOX" });
    await expect(failed).rejects.toMatchObject({ code: "MAILBOX_FAILED" });
    await expect(failed).rejects.not.toThrow(/hunter2|kim/);
  });
});

import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { timestamp } from "#shared/clock";
import { AnswerUnreadableError } from "#shared/client";
import { Secret } from "#shared/config";
import { startTestSystem, listenLocally } from "#shared/testing";
import { openMailbox } from "../services/cli/mail/mailbox.ts";
import type { Mailbox } from "../services/cli/mail/mailbox.ts";
import { takeMails } from "../services/cli/mail/run-mail.ts";
import type { MailTask, TakeOptions } from "../services/cli/mail/run-mail.ts";
import { startImapServer, startSmtpServer, whyNoMailServers } from "./support/mail-servers.ts";
import type { ImapBox, ImapServer, SmtpServer } from "./support/mail-servers.ts";
import { createSupportTeam } from "../services/agents/support/team.ts";
import { sandboxOutside } from "../services/agents/support/testing/open-support.ts";
import { createSmtpMail } from "../services/agents/support/outside/smtp-mail.ts";
import { LoopbackShop } from "../services/agents/support/testing/loopback-shop.ts";
import { openRehearsal } from "./support/rehearsal-model.ts";

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
    const options = { own: [], bytesMax: 1e5, say: () => undefined, signal: new AbortController().signal };
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
    const submit = () => Promise.reject(new AnswerUnreadableError("http://gateway", 422));
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

if (missing !== null) process.stdout.write(`skipped: mail against real servers, because ${missing}\n`);

const from = "support@shop.example";
const never = new AbortController().signal;
const letter = {
  to: "kim@mail.example",
  subject: "Re: Tasse ü",
  text: "Bis bald: Grüße",
  in_reply_to: "<m1@mail.example>",
  references: ["<a@x>", "<m1@mail.example>"],
};

const mailTo = (url: string) => {
  const mail = createSmtpMail(() => ({ url: new Secret(url), from }))();
  if (mail === null) throw new Error("there are settings");
  return mail;
};

describe.skipIf(missing !== null)("mail out, to a real SMTP server", () => {
  let server: SmtpServer;
  beforeAll(async () => {
    server = await startSmtpServer();
  });
  afterAll(() => server.close());

  it("arrives in its thread, says that a program wrote it, and has an id of its key", async () => {
    const sent = await mailTo(server.url).send(letter, "key-1", never);
    expect(sent).toEqual({ message_id: "<key-1@shop.example>" });
    const [source = ""] = server.received();
    for (const header of [
      "Message-ID: <key-1@shop.example>",
      "In-Reply-To: <m1@mail.example>",
      "References: <a@x> <m1@mail.example>",
      "Auto-Submitted: auto-replied",
      "To: kim@mail.example",
    ])
      expect(source).toContain(header);
  });

  it("answers a task that came by mail once, whatever delivery of it asks again", async () => {
    const shop = await LoopbackShop.open();
    const bought_at = timestamp();
    shop.addOrder({ order_id: "A-1001", total: 20, bought_at, customer_email: "kim@mail.example" });
    const mail = createSmtpMail(() => ({ url: new Secret(server.url), from }));
    const team = createSupportTeam(sandboxOutside(() => shop.url, { mail }));
    const system = await startTestSystem(team, { model: (await openRehearsal(team)).model });
    const before = server.received().length;
    const task = {
      from: "kim@mail.example",
      subject: "Cup",
      body: "The cup from order A-1001 was broken, please refund the 20.00 EUR. Also, please send me the invoice.",
      message_id: "<thread-1@mail.example>",
    };
    const { runId } = await system.submit(task);
    const { result } = await system.until(runId);
    expect(result).toMatchObject({ status: "answered", mailed: expect.stringMatching(/@shop\.example>$/) });
    const got = server.received().slice(before);
    expect(got).toHaveLength(1);
    expect(got[0]).toContain("In-Reply-To: <thread-1@mail.example>");
    expect(got[0]).toContain("Subject: Re: Cup");
    expect((await system.run({ ...task, message_id: undefined })).result).not.toHaveProperty("mailed");
    expect(server.received()).toHaveLength(before + 1);
  });
});

describe("a mail server that fails", () => {
  it.each([
    ["refuses the connection", null, { code: "OUTSIDE_UNAVAILABLE", failureClass: "transient" }],
    ["refuses the recipient for now", { rcpt: "451 later" }, { code: "OUTSIDE_UNAVAILABLE" }],
    ["refuses the recipient for good", { rcpt: "550 no" }, { code: "SUPPORT_MAIL_REFUSED" }],
    ["refuses the text", { text: "554 no" }, { code: "SUPPORT_MAIL_REFUSED" }],
    [
      "breaks off after the text",
      { text: "" },
      { code: "SUPPORT_MAIL_UNCERTAIN", failureClass: "handler_error" },
    ],
  ])("that %s is told apart, with none of its words", async (_what, script, expected) => {
    const url = script === null ? "smtp://kim:hunter2@127.0.0.1:9" : await openScript(script);
    const failed = mailTo(url).send(letter, "key-2", never);
    await expect(failed).rejects.toMatchObject(expected);
    await expect(failed).rejects.not.toThrow(/hunter2|kim|later/);
  });
});

/** An SMTP server that says what a script has for a recipient and for the text; "" breaks the connection. */
async function openScript({
  rcpt = "250 ok",
  text = "250 ok",
}: {
  rcpt?: string;
  text?: string;
}): Promise<string> {
  const server = createServer((socket) => {
    let isText = false;
    socket.on("error", () => undefined);
    socket.write("220 test\r\n");
    socket.on("data", (chunk: Buffer) => {
      const said = chunk.toString();
      if (isText) {
        if (!said.endsWith("\r\n.\r\n")) return;
        isText = false;
        if (text === "") socket.destroy();
        else socket.write(`${text}\r\n`);
        return;
      }
      for (const line of said.split("\r\n").filter((each) => each !== "")) {
        if (line.startsWith("DATA")) isText = true;
        const answer = line.startsWith("RCPT") ? rcpt : line.startsWith("DATA") ? "354 go on" : "250 ok";
        socket.write(`${answer}\r\n`);
      }
    });
  });
  const port = await listenLocally(server);
  return `smtp://127.0.0.1:${port}`;
}

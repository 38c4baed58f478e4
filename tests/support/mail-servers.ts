import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createConnection, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DOVECOT = "/usr/sbin/dovecot";
const PYTHON = "/usr/bin/python3";
const READY_WITHIN_MS = 10_000;
const NOBODY = 65_534;

/** Why these tests cannot run here; null where both servers are installed. */
export function whyNoMailServers(): string | null {
  if (!existsSync(DOVECOT)) return "dovecot is not installed (apt: dovecot-imapd)";
  const python = spawnSync(PYTHON, ["-c", "import aiosmtpd"], { timeout: READY_WITHIN_MS });
  return python.status === 0 ? null : "aiosmtpd is not installed (apt: python3-aiosmtpd)";
}

/** A real IMAP server with one mailbox. */
export interface ImapServer {
  readonly url: string;
  /** Puts a mail into the inbox, as a mail server delivers it: unseen. */
  deliver(source: string): void;
  /** Flags of each mail in the inbox, as Maildir names them: `S` is seen, `F` is starred. */
  flags(): readonly string[];
  close(): Promise<void>;
}

/** A real SMTP server that keeps what it gets. */
export interface SmtpServer {
  readonly url: string;
  received(): readonly string[];
  close(): Promise<void>;
}

export async function startImapServer(): Promise<ImapServer> {
  const folder = mkdtempSync("/tmp/suture-imap-");
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? NOBODY : (process.getuid?.() ?? NOBODY);
  const gid = isRoot ? NOBODY : (process.getgid?.() ?? NOBODY);
  const inbox = join(folder, "mail");
  for (const part of ["cur", "new", "tmp"]) {
    mkdirSync(join(inbox, part), { recursive: true });
    if (isRoot) chownSync(join(inbox, part), uid, gid);
  }
  if (isRoot) chownSync(inbox, uid, gid);
  chmodSync(folder, 0o755);
  const user = isRoot ? "nobody" : spawnSync("id", ["-un"], { encoding: "utf8" }).stdout.trim();
  const group = spawnSync("id", ["-gn", user], { encoding: "utf8" }).stdout.trim();
  const config = join(folder, "dovecot.conf");
  writeFileSync(config, dovecotConfig({ folder, inbox, port, user, group, uid, gid, isRoot }));
  const child = spawn(DOVECOT, ["-F", "-c", config], { stdio: "ignore" });
  await untilListening(port);
  let delivered = 0;
  return {
    url: `imap://kim:secret%20word@127.0.0.1:${port}`,
    deliver: (source) => {
      delivered += 1;
      const name = `${delivered}.test`;
      const path = join(inbox, "tmp", name);
      writeFileSync(path, source.replaceAll(/\r?\n/g, "\r\n"));
      if (isRoot) chownSync(path, uid, gid);
      // A delivery into Maildir is a rename, so that no reader sees half a mail.
      const moved = spawnSync("mv", [path, join(inbox, "new", name)]);
      if (moved.status !== 0) throw new Error("the mail was not delivered");
    },
    flags: () =>
      ["new", "cur"]
        .flatMap((part) => readdirSync(join(inbox, part)))
        .toSorted()
        .map((name) => name.split(":2,")[1] ?? ""),
    close: async () => {
      await stop(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Dovecot {
  readonly folder: string;
  readonly inbox: string;
  readonly port: number;
  readonly user: string;
  readonly group: string;
  readonly uid: number;
  readonly gid: number;
  readonly isRoot: boolean;
}

function dovecotConfig({ folder, inbox, port, user, group, uid, gid, isRoot }: Dovecot): string {
  return `
protocols = imap
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
disable_plaintext_auth = no
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 1
mail_location = maildir:${inbox}
passdb {
  driver = static
  args = password=secret word
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
${isRoot ? "" : "service stats { chroot = }\n"}`;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const folder = mkdtempSync(join(tmpdir(), "suture-smtp-"));
  const port = await freePort();
  const box = join(folder, "box");
  const handler = ["-n", "-l", `127.0.0.1:${port}`, "-c", "aiosmtpd.handlers.Mailbox", box];
  const child = spawn(PYTHON, ["-m", "aiosmtpd", ...handler], { stdio: "ignore" });
  await untilListening(port);
  return {
    url: `smtp://127.0.0.1:${port}`,
    received: () =>
      existsSync(join(box, "new"))
        ? readdirSync(join(box, "new"))
            .toSorted()
            .map((name) => readFileSync(join(box, "new", name), "utf8"))
        : [],
    close: async () => {
      await stop(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
  });
  child.kill("SIGTERM");
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

async function untilListening(port: number): Promise<void> {
  const endMs = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ port, host: "127.0.0.1" }, () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
    if (isThere) return;
    if (Date.now() > endMs) throw new Error(`nothing listens on port ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

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
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";

const DOVECOT = "/usr/sbin/dovecot";
const PYTHON = "/usr/bin/python3";
const READY_WITHIN_MS = 10_000;

/** Returns the reason for which these tests cannot run here. Null: both servers are installed. */
export function whyNoMailServers(): string | null {
  if (!existsSync(DOVECOT)) return "dovecot is not installed (apt: dovecot-imapd)";
  const python = spawnSync(PYTHON, ["-c", "import aiosmtpd"], { timeout: READY_WITHIN_MS });
  return python.status === 0 ? null : "aiosmtpd is not installed (apt: python3-aiosmtpd)";
}

export interface ImapBox {
  readonly url: string;
  /** Puts a mail into the inbox, as a mail server delivers it: unseen. */
  deliver(source: string): void;
  /** Flags of each mail in the inbox, as Maildir names them: `S` is seen, `F` is starred. */
  flags(): readonly string[];
}

export interface ImapServer {
  /** An empty mailbox of that user. */
  openBox(user: string): ImapBox;
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
  chmodSync(folder, 0o755);
  const port = await chooseFreePort(null);
  const isRoot = process.getuid?.() === 0;
  // Dovecot does not work as root.
  const user = isRoot ? "nobody" : spawnSync("id", ["-un"], { encoding: "utf8" }).stdout.trim();
  const idOf = (flag: string): number => Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout);
  const owner = { uid: idOf("-u"), gid: idOf("-g") };
  const group = spawnSync("id", ["-gn", user], { encoding: "utf8" }).stdout.trim();
  const config = join(folder, "dovecot.conf");
  writeFileSync(config, dovecotConfig({ folder, port, user, group, ...owner }));
  const child = spawn(DOVECOT, ["-F", "-c", config], { stdio: "ignore" });
  await untilListening(port);
  return {
    openBox: (name) => openBox(join(folder, name), { name, port, owner: isRoot ? owner : null }),
    close: async () => {
      await stop(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  readonly name: string;
  readonly port: number;
  /** Whom the files are given to. Null: they are ours, and Dovecot runs as us. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
}

function openBox(inbox: string, { name, port, owner }: Place): ImapBox {
  const give = (path: string): void => {
    if (owner !== null) chownSync(path, owner.uid, owner.gid);
  };
  for (const part of ["cur", "new", "tmp"]) mkdirSync(join(inbox, part), { recursive: true });
  for (const part of ["", "cur", "new", "tmp"]) give(join(inbox, part));
  let delivered = 0;
  return {
    url: `imap://${name}:secr%40et@127.0.0.1:${port}`,
    deliver: (source) => {
      delivered += 1;
      const path = join(inbox, "tmp", `${delivered}.test`);
      writeFileSync(path, source.replaceAll(/\r?\n/g, "\r\n"));
      give(path);
      // A delivery into Maildir is a rename, so that no reader sees half a mail.
      renameSync(path, join(inbox, "new", `${delivered}.test`));
    },
    flags: () =>
      ["new", "cur"]
        .flatMap((part) => readdirSync(join(inbox, part)))
        .toSorted()
        .map((file) => file.split(":2,")[1] ?? ""),
  };
}

interface Dovecot {
  readonly folder: string;
  readonly port: number;
  readonly user: string;
  readonly group: string;
  readonly uid: number;
  readonly gid: number;
}

function dovecotConfig({ folder, port, user, group, uid, gid }: Dovecot): string {
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
mail_location = maildir:${folder}/%u
passdb {
  driver = static
  args = password=secr@et
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
`;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const folder = mkdtempSync(join(tmpdir(), "suture-smtp-"));
  const port = await chooseFreePort(null);
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

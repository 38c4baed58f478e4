import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { FolderForeignError } from "./errors.ts";

/** State file beside the data, by which the next command finds this Redis. */
const stateSchema = z.object({
  url: z.string(),
  /** Path of the socket that it listens on. */
  socket: z.string(),
  /** Hex. */
  password: z.string(),
  pid: z.int().min(1),
  /** Whom the password lets in. Empty: the default user, in a Redis without users. */
  user: z.string().default(""),
  /** Identity of the Redis process, see lock-folder.mjs. Empty once stopped. */
  redis: z.string(),
  /** Identity of the process that stops it. */
  owner: z.string(),
});

export type PrivateRedisState = z.output<typeof stateSchema>;

/** The state's file. */
export const stateFileOf = (dir: string): string => join(dir, "private-redis.json");

/** Reads the last state; null when it is missing or unreadable. */
export function readState(dir: string): PrivateRedisState | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(stateFileOf(dir), "utf8")));
  } catch {
    return null;
  }
}

/** Writes the state atomically. */
export function writeState(dir: string, state: PrivateRedisState): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeWhole(stateFileOf(dir), `${JSON.stringify(state, null, 2)}\n`);
}

function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}

/** Address and login of a private Redis. */
export type PrivateDoor = Pick<PrivateRedisState, "socket" | "password" | "user">;

/** The user of a Redis with users who may do everything. */
export const OWNER = "owner";

/** The file of its users. */
export const aclFileOf = (dir: string): string => join(dir, "users.acl");

/** Writes the file of users, and the owner among them, for a Redis that has users. @returns Whether it has changed. */
export function writeUsers(dir: string, { password, user }: PrivateDoor, users: readonly string[]): boolean {
  const digest = createHash("sha256").update(password).digest("hex");
  const text = `${[...users, `user ${OWNER} on #${digest} ~* &* +@all`].join("\n")}\n`;
  const file = aclFileOf(dir);
  if (user !== OWNER || (existsSync(file) && readFileSync(file, "utf8") === text)) return false;
  writeWhole(file, text);
  return true;
}

export function urlOf({ socket, password, user }: PrivateDoor): string {
  return `redis+unix://${user}:${password}@${socket.split("/").map(encodeURIComponent).join("/")}`;
}

/** Permission bits of the owner, and of all others. */
const OWN = 0o700;
const OTHERS = 0o077;

/**
 * Makes a folder, and what is missing above it, for this user alone; narrows one of ours that is open to others.
 * @returns Whether it had to be narrowed. @throws {FolderForeignError} It belongs to another user.
 */
export function openPrivateFolder(folder: string): boolean {
  mkdirSync(folder, { recursive: true, mode: OWN });
  if (process.geteuid === undefined) return false;
  const { uid, mode } = statSync(folder);
  if (uid !== process.geteuid()) throw new FolderForeignError(folder);
  if ((mode & 0o777) === OWN) return false;
  chmodSync(folder, OWN);
  return (mode & OTHERS) !== 0;
}

/** Removes other users' permissions below our folder. Does not follow links. */
export function narrowBelow(folder: string): void {
  if (process.geteuid === undefined) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((entry.isFile() || entry.isDirectory()) && (mode & OTHERS) !== 0) chmodSync(path, mode & OWN);
  }
}

/** Longest socket path of all systems: macOS has 104 bytes, Linux 108, including a zero byte. */
const PATH_BYTES_MAX = 103;
const NAME = "redis.sock";

/** Chooses the socket's path: its own folder, else a private temporary one. @param last - Kept if possible; or "". */
export function chooseSocket(dir: string, last: string): string {
  const own = join(dir, NAME);
  if (Buffer.byteLength(own) <= PATH_BYTES_MAX) return own;
  // Temporary folders are cleared at times, and another user may have created one of this name since.
  if (last !== "" && isOursAlone(dirname(last))) return last;
  return join(mkdtempSync(join(tmpdir(), "suture-")), NAME);
}

function isOursAlone(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}

import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { withLockFolder } from "../lock-folder.mjs";
import { RedisMissingError } from "./errors.ts";
import { runTool } from "./run-tool.ts";

const INSTALL_TIMEOUT_MS = 600_000;

interface ObtainOptions {
  /** Receives one line before each slow step. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Folder for an unpacked server when the user's cache folder, shared by all checkouts, is not writable. */
  readonly fallbackDir: string;
}

/** `$XDG_CACHE_HOME/suture/redis`, or the same under `~/.cache`. */
function chooseCacheDir(fallbackDir: string): string {
  const base = process.env["XDG_CACHE_HOME"] ?? "";
  const shared = join(isAbsolute(base) ? base : join(homedir(), ".cache"), "suture", "redis");
  try {
    mkdirSync(shared, { recursive: true });
    accessSync(shared, constants.W_OK);
    return shared;
  } catch {
    return fallbackDir;
  }
}

/** Finds a server or installs one: PATH, distribution, Homebrew. @throws {RedisMissingError} With what was tried. */
export async function obtainRedisServer(options: ObtainOptions): Promise<RedisServer> {
  const cacheDir = chooseCacheDir(options.fallbackDir);
  const troubles = new Set<string>();
  const onTrouble = (line: string): void => void troubles.add(line);
  const found =
    (await findRedisServer()) ??
    (await unpackRedisServer({ ...options, cacheDir, onTrouble })) ??
    (await installWithBrew(options));
  if (found !== null) return found;
  throw new RedisMissingError([
    "redis-server and valkey-server on the PATH",
    `the distribution's package through apt-get${troubles.size === 0 ? "" : ` (${[...troubles].join("; ")})`}`,
    "brew install redis",
  ]);
}

async function installWithBrew({ say, signal }: ObtainOptions): Promise<RedisServer | null> {
  if (findOnPath("brew") === null) return null;
  say("No redis-server here: installing it with Homebrew (brew install redis).");
  const env = { HOMEBREW_NO_AUTO_UPDATE: "1", NONINTERACTIVE: "1" };
  const args = ["install", "--quiet", "redis"];
  const installed = await runTool({ command: "brew", args, env, timeoutMs: INSTALL_TIMEOUT_MS, signal });
  const prefix = await runTool({
    command: "brew",
    args: ["--prefix"],
    timeoutMs: INSTALL_TIMEOUT_MS,
    signal,
  });
  return installed.isOk && prefix.isOk ? findRedisServer(join(prefix.output.trim(), "bin")) : null;
}

/** A Redis server program. */
export interface RedisServer {
  /** Absolute path. */
  readonly command: string;
  /** Additional environment variables. */
  readonly env: Readonly<Record<string, string>>;
}

const SERVER_NAMES = ["redis-server", "valkey-server"] as const;

/** Minimum version that BullMQ supports without a warning. */
const VERSION_MIN = { major: 6, minor: 2 };
const VERSION_TIMEOUT_MS = 10_000;

/** Returns the first program of that name on a PATH; null for none. */
export function findOnPath(name: string, path = process.env["PATH"] ?? ""): string | null {
  for (const folder of path.split(delimiter)) {
    if (isAbsolute(folder) && isExecutable(join(folder, name))) return join(folder, name);
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns true when the program runs and is new enough; one without its libraries does not run. */
async function isUsable(server: RedisServer): Promise<boolean> {
  const { isOk, output } = await runTool({ ...server, args: ["--version"], timeoutMs: VERSION_TIMEOUT_MS });
  const version = /\bv=(\d+)\.(\d+)/.exec(output);
  if (!isOk || version === null) return false;
  const major = Number(version[1]);
  return (
    major > VERSION_MIN.major || (major === VERSION_MIN.major && Number(version[2]) >= VERSION_MIN.minor)
  );
}

/** Returns a usable redis-server or valkey-server on a PATH; null for none. */
export async function findRedisServer(path?: string): Promise<RedisServer | null> {
  for (const name of SERVER_NAMES) {
    const command = findOnPath(name, path);
    const server = command === null ? null : { command, env: {} };
    if (server !== null && (await isUsable(server))) return server;
  }
  return null;
}

/** Packages that hold a server, best first. Debian's checking tool is the server when started by that name. */
const PACKAGES = [
  { name: "redis-tools", program: "redis-check-rdb", server: "redis-server" },
  { name: "valkey-tools", program: "valkey-check-rdb", server: "valkey-server" },
] as const;

const DOWNLOAD_TIMEOUT_MS = 180_000;
const UNPACK_TIMEOUT_MS = 30_000;
const REASON_CHARS_MAX = 300;

interface UnpackOptions {
  /** Folder that keeps the unpacked server for the next time. */
  readonly cacheDir: string;
  /** Hears one line before a download. */
  readonly say: (line: string) => void;
  /** Receives a tool's own last words where it failed. */
  readonly onTrouble: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Unpacks the distribution's package, checked by apt, into our folder. @returns null: no apt, network or package. */
async function unpackRedisServer(options: UnpackOptions): Promise<RedisServer | null> {
  const kept = await findUnpacked(options.cacheDir);
  if (kept !== null) return kept;
  if (findOnPath("apt-get") === null || findOnPath("dpkg-deb") === null) return null;
  const folder = join(options.cacheDir, "unpack.lock");
  const lock = { folder, timeoutMs: 2 * DOWNLOAD_TIMEOUT_MS, signal: options.signal };
  return withLockFolder(
    lock,
    async () => (await findUnpacked(options.cacheDir)) ?? unpackAnyPackage(options),
  );
}

async function findUnpacked(cacheDir: string): Promise<RedisServer | null> {
  for (const { server } of PACKAGES) {
    const found = describeServer(join(cacheDir, "root"), server);
    if (existsSync(found.command) && (await isUsable(found))) return found;
  }
  return null;
}

function describeServer(root: string, server: string): RedisServer {
  const lib = join(root, "usr/lib");
  const folders = existsSync(lib)
    ? readdirSync(lib, { withFileTypes: true }).filter(
        (entry) => entry.isDirectory() && entry.name.includes("-linux-"),
      )
    : [];
  const libraries = [...folders.map((entry) => join(lib, entry.name)), lib, join(root, "lib")];
  return { command: join(root, "usr/bin", server), env: { LD_LIBRARY_PATH: libraries.join(":") } };
}

async function unpackAnyPackage(options: UnpackOptions): Promise<RedisServer | null> {
  const work = join(options.cacheDir, "unpacking");
  options.say(
    "No redis-server here: unpacking the distribution's own package privately (about 1 MB, the system stays as it is).",
  );
  for (const source of PACKAGES) {
    rmSync(work, { recursive: true, force: true });
    if (!(await download(work, source.name, options)) || !(await unpackAll(work, options))) continue;
    const program = join(work, "root/usr/bin", source.program);
    if (!existsSync(program)) continue;
    const link = join(work, "root/usr/bin", source.server);
    if (!existsSync(link)) symlinkSync(source.program, link);
    if (!(await isUsable(describeServer(join(work, "root"), source.server)))) continue;
    rmSync(join(options.cacheDir, "root"), { recursive: true, force: true });
    renameSync(join(work, "root"), join(options.cacheDir, "root"));
    rmSync(work, { recursive: true, force: true });
    return describeServer(join(options.cacheDir, "root"), source.server);
  }
  rmSync(work, { recursive: true, force: true });
  return null;
}

/** Fetches the package and what it needs that this system lacks; with lists of our own if the system's are empty. */
async function download(work: string, name: string, options: UnpackOptions): Promise<boolean> {
  const lists = join(work, "lists");
  mkdirSync(join(work, "archives/partial"), { recursive: true });
  mkdirSync(join(lists, "partial"), { recursive: true });
  const own = ["-o", `Dir::Cache=${work}`, "-o", "Debug::NoLocking=1", "-o", "Acquire::Retries=2"];
  // As root, apt would download as the user _apt, who may not write into our folder.
  const asRoot = process.getuid?.() === 0 ? ["-o", "APT::Sandbox::User=root"] : [];
  const ownLists = ["-o", `Dir::State::Lists=${lists}`];
  const apt = async (args: readonly string[]): Promise<{ readonly isOk: boolean }> => {
    const ran = await runTool({
      command: "apt-get",
      args: ["-q", ...own, ...asRoot, ...args],
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      signal: options.signal,
    });
    if (!ran.isOk) options.onTrouble(reasonIn(ran.output));
    return ran;
  };
  const fetch = ["install", "-y", "--download-only", "--reinstall", "--no-install-recommends", name];
  if ((await apt(fetch)).isOk && hasPackages(work)) return true;
  if (!(await apt([...ownLists, "update"])).isOk) return false;
  return (await apt([...ownLists, ...fetch])).isOk && hasPackages(work);
}

/** Returns what apt calls an error, else its last line. */
function reasonIn(output: string): string {
  const lines = output.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const reason = lines.find((line) => line.startsWith("E: ")) ?? lines.at(-1) ?? "it said nothing";
  return reason.slice(0, REASON_CHARS_MAX);
}

function hasPackages(work: string): boolean {
  return readdirSync(join(work, "archives")).some((file) => file.endsWith(".deb"));
}

async function unpackAll(work: string, options: UnpackOptions): Promise<boolean> {
  const archives = join(work, "archives");
  for (const file of readdirSync(archives).filter((name) => name.endsWith(".deb"))) {
    const { isOk } = await runTool({
      command: "dpkg-deb",
      args: ["-x", join(archives, file), join(work, "root")],
      timeoutMs: UNPACK_TIMEOUT_MS,
      signal: options.signal,
    });
    if (!isOk) return false;
  }
  return true;
}

import { join } from "node:path";
import type { Stream } from "node:stream";
import { now, randomHex, sleep } from "#shared/clock";
import { isSameProcess, processIdentity, withLockFolder } from "../lock-folder.mjs";
import { RedisStartError } from "./errors.ts";
import { obtainRedisServer } from "./obtain-redis-server.ts";
import type { RedisServer } from "./obtain-redis-server.ts";
import {
  aclFileOf,
  chooseSocket,
  openPrivateFolder,
  OWNER,
  readState,
  stateFileOf,
  urlOf,
  writeState,
  writeUsers,
} from "./private-redis-state.ts";
import type { PrivateDoor, PrivateRedisState } from "./private-redis-state.ts";
import { endWithOwner } from "./end-with-owner.ts";
import type { OwnerWatch } from "./end-with-owner.ts";
import { DiskWatch } from "./disk-watch.ts";
import { READY_TIMEOUT_MS, askOnce, endProcess, spawnRedis, waitUntilAnswering } from "./redis-process.ts";
import type { RedisDoor } from "./redis-process.ts";

export interface PrivateRedisOptions {
  /** Absolute. Redis' files are in its sub-folder `redis`. */
  readonly dataDir: string;
  /** `durable` syncs every write; `fast` once a second. */
  readonly durability: "fast" | "durable";
  /** Receives one line before slow steps and after unusual events. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Lines of an ACL file. The password is then that of the user `owner`, who may do everything. Default: no users. */
  readonly users?: readonly string[];
}

const PASSWORD_BYTES = 24;
const WATCH_INTERVAL_MS = 300;
const RESTART_DELAY_MS = 100;
const RESTART_DELAY_MS_MAX = 5000;
/** Maximum restarts in a row, each within a minute of the last. */
const RESTARTS_MAX = 10;
const CALM_MS = 60_000;
const LOCK_TIMEOUT_MS = READY_TIMEOUT_MS + 30_000;

/**
 * Gives this machine's own Redis: another command's, one left behind, or a new child on a private socket with a
 * password. It keeps its address; a child that dies is started again with the same data.
 * @throws {FolderForeignError | RedisMissingError | RedisStartError}
 */
export async function startPrivateRedis(options: PrivateRedisOptions): Promise<PrivateRedis> {
  if (openPrivateFolder(options.dataDir))
    options.say(`${options.dataDir} was open to other users of this machine; from now on it is yours alone.`);
  const keeper = new PrivateRedis(options);
  try {
    await keeper.begin();
  } catch (error) {
    keeper.disown();
    throw error;
  }
  return keeper;
}

/** This machine's own Redis, as this process keeps it. */
export class PrivateRedis {
  readonly dir: string;
  readonly #options: PrivateRedisOptions;
  readonly #stopping = new AbortController();
  #state: PrivateRedisState | null = null;
  #owner: OwnerWatch | null = null;
  #restarts = 0;
  #startedAtMs = 0;
  readonly #disk: DiskWatch;
  #watching: Promise<void> = Promise.resolve();

  constructor(options: PrivateRedisOptions) {
    this.#options = options;
    this.dir = join(options.dataDir, "redis");
    this.#disk = new DiskWatch(options.say);
  }

  /** Contains the password. */
  get url(): string {
    return this.#running().url;
  }

  /** The address without the password, for people. */
  get address(): string {
    return this.#running().socket;
  }

  /** Current process id. */
  get pid(): number {
    return this.#running().pid;
  }

  /** True when this process stops it; false when another running command started it. */
  get isOwned(): boolean {
    return this.#owner !== null;
  }

  /** Stream that processes inherit which need this Redis: it ends with the last of them. Null for another's Redis. */
  get hold(): Stream | null {
    return this.#owner?.hold ?? null;
  }

  async begin(): Promise<void> {
    await this.#find();
    this.#watching = this.#watch();
  }

  async #find(): Promise<void> {
    const { signal } = this.#options;
    const lock = { folder: join(this.dir, "start.lock"), timeoutMs: LOCK_TIMEOUT_MS, signal };
    await withLockFolder(lock, () => this.#joinOrStart());
  }

  async #joinOrStart(): Promise<void> {
    const last = readState(this.dir);
    if (last === null || !isSameProcess(last.redis)) return this.#start(last);
    await this.#join(last);
  }

  /** Stops it once all is saved, as any other end of this process does. Idempotent. Leaves another command's alone. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
    if (this.#owner === null) return;
    const { redis, pid, ...rest } = this.#running();
    if (redis !== "") {
      await endProcess({ pid, identity: redis });
      this.#write({ ...rest, pid, redis: "" });
    }
    this.#owner.dismiss();
  }

  /** Nothing runs that would have to be ended. */
  disown(): void {
    this.#owner?.dismiss();
  }

  #own(): void {
    this.#owner ??= endWithOwner(stateFileOf(this.dir), processIdentity(process.pid));
  }

  /** Joins a running Redis; becomes its owner when its owner is gone. */
  async #join(last: PrivateRedisState): Promise<void> {
    await this.#waitFor(last, () => !isSameProcess(last.redis));
    this.#state = last;
    // Scripts that this checkout runs may be newer than the users.
    if (this.#options.users !== undefined && writeUsers(this.dir, last, this.#options.users))
      await askOnce(last, "ACL LOAD");
    if (isSameProcess(last.owner)) return;
    this.#options.say(`Going on with the Redis that an earlier command left running at ${last.socket}.`);
    this.#write({ ...last, owner: processIdentity(process.pid) });
    this.#own();
  }

  async #start(last: PrivateRedisState | null): Promise<void> {
    const server = await this.#findServer();
    // Before there is anything to end.
    this.#own();
    const door = {
      socket: chooseSocket(this.dir, last?.socket ?? ""),
      password: last?.password || randomHex(PASSWORD_BYTES),
      user: this.#options.users === undefined ? "" : OWNER,
    };
    if (!(await this.#startAt(door, server)))
      throw new RedisStartError("ended while starting", this.#logFile);
  }

  async #startAt(door: PrivateDoor, server: RedisServer): Promise<boolean> {
    const fsync = this.#options.durability === "durable" ? "always" : "everysec";
    const { user } = door;
    openPrivateFolder(this.dir);
    if (this.#options.users !== undefined) writeUsers(this.dir, door, this.#options.users);
    const guard = user === "" ? {} : { password: "", settings: ["--aclfile", aclFileOf(this.dir)] };
    const started = await spawnRedis({ server, dir: this.dir, ...door, fsync, isDetached: true, ...guard });
    // It must not keep our event loop alive.
    started.child.unref();
    const identity = processIdentity(started.pid);
    const owner = processIdentity(process.pid);
    this.#write({ ...door, url: urlOf(door), pid: started.pid, redis: identity, owner });
    this.#startedAtMs = now();
    let hasEnded = false;
    void started.ended.then(() => (hasEnded = true));
    try {
      return await this.#waitFor(door, () => hasEnded);
    } catch (error) {
      await endProcess({ pid: started.pid, identity });
      throw error;
    }
  }

  async #waitFor(door: RedisDoor, hasEnded: () => boolean): Promise<boolean> {
    const giveUpAtMs = now() + READY_TIMEOUT_MS;
    const isOver = (): boolean => hasEnded() || now() > giveUpAtMs;
    const isAnswering = await waitUntilAnswering(door, isOver, this.#options.signal);
    if (!isAnswering && !hasEnded())
      throw new RedisStartError(`did not answer within ${READY_TIMEOUT_MS} ms`, this.#logFile);
    return isAnswering;
  }

  /** Watches the process, or its owner where that is another command; an adopted process emits no exit, so it polls. */
  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(WATCH_INTERVAL_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      if (this.#owner === null) await this.#succeed();
      else if (!isSameProcess(this.#running().redis)) await this.#restart();
      else await this.#disk.look(this.#running());
    }
  }

  /** Takes the Redis over, or starts it again, where its owner was killed. One that was stopped stays so. */
  async #succeed(): Promise<void> {
    if (isSameProcess(this.#running().owner) || readState(this.dir)?.redis === "") return;
    await this.#find().catch(() => undefined);
  }

  async #restart(): Promise<void> {
    this.#restarts = now() - this.#startedAtMs > CALM_MS ? 1 : this.#restarts + 1;
    if (this.#restarts > RESTARTS_MAX) {
      this.#options.say(
        `Redis ended ${RESTARTS_MAX} times in a row and is not started again; see ${this.#logFile}.`,
      );
      this.#stopping.abort();
      return;
    }
    const { socket, password, user } = this.#running();
    this.#options.say(`Redis ended unexpectedly; starting it again at ${this.address} with the same data.`);
    const delayMs = Math.min(RESTART_DELAY_MS * 2 ** (this.#restarts - 1), RESTART_DELAY_MS_MAX);
    await sleep(delayMs, this.#stopping.signal).catch(() => undefined);
    if (this.#stopping.signal.aborted) return;
    try {
      await this.#startAt({ socket, password, user }, await this.#findServer());
    } catch (error) {
      this.#options.say(
        `Redis could not be started again: ${error instanceof Error ? error.message : "unknown reason"}`,
      );
    }
  }

  #findServer(): Promise<RedisServer> {
    return obtainRedisServer({
      ...this.#options,
      fallbackDir: join(this.#options.dataDir, "redis-server"),
    });
  }

  #write(state: PrivateRedisState): void {
    this.#state = state;
    writeState(this.dir, state);
  }

  #running(): PrivateRedisState {
    if (this.#state === null) throw new RedisStartError("was asked for before it was started", this.#logFile);
    return this.#state;
  }

  get #logFile(): string {
    return join(this.dir, "redis.log");
  }
}

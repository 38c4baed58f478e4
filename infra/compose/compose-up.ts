import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { sleep } from "#shared/clock";
import { SERVER_NAMES } from "../redis/obtain-redis-server.ts";
import type { RedisServer } from "../redis/obtain-redis-server.ts";
import { copyServer } from "./build-image.ts";
import type { Image } from "./build-image.ts";
import { answersPing } from "../redis/redis-process.ts";
import { answers, Ports } from "./ports.ts";
import { asUser, Folders, whyNotOwnUsers } from "./folders.ts";
import type { CommandLine } from "./folders.ts";
import type { ComposeFile, ComposeService } from "./read-compose.ts";

export interface ComposeUpOptions {
  readonly file: ComposeFile;
  /** Folder of the compose file. */
  readonly root: string;
  readonly image: Image;
  /** Empty folder that holds the volumes. */
  readonly folder: string;
  /** Stands for the server in the image of Redis. */
  readonly redis: RedisServer;
  /** Called before a service starts, with the folders as they are then. */
  readonly beforeStart?: (name: string, folders: Folders) => void;
}

/** Exit code and output of a command. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const PROBE_EVERY_MS = 300;
const STARTS_MAX = 4;
const RESTART_DELAY_MS = 1000;
const OUTPUT_SHOWN = 3000;
/** Checks that run at once: each is a process. */
const CHECKS_AT_ONCE = 4;

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output: string;
}

/**
 * Starts what `docker compose up --wait` starts, without containers: services in the order of `depends_on`, with
 * their own command and with no environment but the image's and the file's. Folders of volumes, names of services and
 * ports are put in place of those that containers have; nothing else is changed. As root each service runs as its own
 * user and group, with its capabilities alone; networks and limits are not rehearsed.
 *
 * @throws {Error} A service ends that should not, with the end of its output.
 */
export async function composeUp(options: ComposeUpOptions): Promise<RunningCompose> {
  const running = new RunningCompose(options);
  try {
    await running.begin();
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** The services of a compose file at work, each a process of its own on this machine. */
export class RunningCompose {
  /** Services that have started, in that order. */
  readonly started: string[] = [];
  readonly folders: Folders;
  /** Why all services run as the user of the tests; null where each is its own. */
  readonly notOwnUsers: string | null;
  readonly #options: ComposeUpOptions;
  readonly #services: ReadonlyMap<string, ComposeService>;
  readonly #server: RedisServer;
  readonly #ports = new Ports();
  readonly #running = new Map<string, Running>();
  readonly #starts = new Map<string, Promise<void>>();
  #isStopping = false;
  /** Set once all have been healthy: from then on none is started again. */
  #isUp = false;
  #reportFailure: (error: Error) => void = () => undefined;
  /** Rejects when a service ends that should not, with the end of its output. Never resolves. */
  readonly failed = new Promise<never>((_, reject) => (this.#reportFailure = reject));

  constructor(options: ComposeUpOptions) {
    const { file, root, folder, redis } = options;
    this.#options = options;
    this.#services = new Map(
      Object.entries(file.services).filter(([, { profiles }]) => profiles.length === 0),
    );
    this.notOwnUsers = whyNotOwnUsers(root);
    this.folders = new Folders({ file, root, folder, ownUsers: this.notOwnUsers === null });
    this.#server = copyServer(redis, join(folder, "redis-server"));
    this.failed.catch(() => undefined);
  }

  /** Returns the address on this machine of a container's port. */
  urlOf(service: string, port: number): string {
    return `http://${this.#ports.host}:${this.#ports.of(service, port)}`;
  }

  /** Returns the process of a service that runs. */
  pidOf(service: string): number {
    return this.#running.get(service)?.child.pid ?? 0;
  }

  /** Returns what a service has written to its output. */
  outputOf(service: string): string {
    return this.#running.get(service)?.output ?? "";
  }

  /** Runs a command as a service does: its user, its capabilities, its environment and `env` laid over it. */
  async runAs(
    name: string,
    { command, args }: CommandLine,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const line = { command: this.#programOf(name, command), args };
    const child = this.#spawnAs(name, line, { ...this.#environmentOf(name), ...env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => (output += String(chunk)));
    const code = await new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(null));
      child.once("close", resolve);
    });
    return { code, output };
  }

  async begin(): Promise<void> {
    this.folders.make();
    await this.#ports.choose(Object.fromEntries(this.#services));
    await Promise.race([
      this.failed,
      Promise.all([...this.#services.keys()].map((name) => this.#start(name))),
    ]);
    const watched = [...this.#services].filter(([, { healthcheck }]) => healthcheck !== null);
    const queue = watched.map(([name]) => name);
    const check = async (): Promise<void> => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) await this.#untilHealthy(name);
    };
    await Promise.race([this.failed, Promise.all(Array.from({ length: CHECKS_AT_ONCE }, check))]);
    this.#isUp = true;
  }

  /** Sends SIGTERM, to what others need last. Resolves to the exit codes; null for one that had to be killed. */
  async stop(): Promise<Record<string, number | null>> {
    this.#isStopping = true;
    const needed = new Set(
      [...this.#services.values()].flatMap((service) => Object.keys(service.depends_on)),
    );
    const [last, first] = [
      this.started.filter((name) => needed.has(name)),
      this.started.filter((name) => !needed.has(name)),
    ];
    const codes = [];
    for (const round of [first, last])
      codes.push(...(await Promise.all(round.map((name) => this.#end(name)))));
    return Object.fromEntries(codes);
  }

  /** Ends all at once, as a machine does that fails. */
  async kill(): Promise<void> {
    this.#isStopping = true;
    const running = [...this.#running.values()];
    for (const { child } of running) child.kill("SIGKILL");
    await Promise.all(running.map(({ ended }) => ended));
  }

  async #end(name: string): Promise<[string, number | null]> {
    const running = this.#running.get(name);
    running?.child.kill("SIGTERM");
    const graceMs = Number.parseInt(this.#serviceOf(name).stop_grace_period, 10) * 1000;
    const timer = setTimeout(() => running?.child.kill("SIGKILL"), graceMs);
    const code = (await running?.ended) ?? null;
    clearTimeout(timer);
    return [name, code];
  }

  /** Starts a service once, after what it depends on. */
  #start(name: string): Promise<void> {
    const known = this.#starts.get(name) ?? this.#startAfterOthers(name);
    this.#starts.set(name, known);
    return known;
  }

  async #startAfterOthers(name: string): Promise<void> {
    const needs = Object.entries(this.#serviceOf(name).depends_on);
    for (const [other, { condition }] of needs) {
      await this.#start(other);
      if (condition === "service_healthy") await this.#untilHealthy(other);
      if (condition === "service_completed_successfully") await this.#running.get(other)?.ended;
    }
    if (!this.#isStopping) this.#launch(name);
  }

  #launch(name: string, tries = 1): void {
    const service = this.#serviceOf(name);
    this.#options.beforeStart?.(name, this.folders);
    const [program = "", ...words] = service.command;
    const args = words.map((word, at) =>
      words[at - 1] === "--port" ? `${this.#ports.of(name, word)}` : this.#translate(name, word),
    );
    // A server on this machine listens where it is told to; in its container, on the port it has.
    if (SERVER_NAMES.some((known) => known === program))
      args.push("--port", String(this.#ports.of(name, 6379)), "--bind", this.#ports.host);
    const line = { command: this.#programOf(name, program), args };
    const child = this.#spawnAs(name, line, this.#environmentOf(name));
    const ended = new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(null));
      child.once("exit", resolve);
    });
    const running: Running = { child, ended, output: "" };
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => (running.output += String(chunk)));
    this.#running.set(name, running);
    if (!this.started.includes(name)) this.started.push(name);
    void ended.then(async (code) => {
      // One that is not started again has a task to end; all others are to stay.
      if (this.#isStopping || (service.restart === "no" && code === 0)) return;
      // Dozens that start at once on a small machine may be slower than one waits for Redis.
      if (!this.#isUp && service.restart === "unless-stopped" && tries < STARTS_MAX) {
        await sleep(RESTART_DELAY_MS);
        if (!this.#isStopping) this.#launch(name, tries + 1);
        return;
      }
      this.#reportFailure(new Error(`${name} ended with ${code}: ${running.output.slice(-OUTPUT_SHOWN)}`));
    });
  }

  #spawnAs(name: string, line: CommandLine, env: Readonly<Record<string, string>>): ChildProcess {
    const { command, args } = this.notOwnUsers === null ? asUser(this.#serviceOf(name), line) : line;
    return spawn(command, args, { cwd: this.#options.image.dir, env, stdio: ["ignore", "pipe", "pipe"] });
  }

  async #untilHealthy(name: string): Promise<void> {
    const { test } = this.#serviceOf(name).healthcheck ?? { test: [] };
    const [kind, program = "", ...args] = test;
    if (kind !== "CMD") throw new Error(`${name} has no health check that is a command`);
    // A process for each look would take longer than the start that it waits for: it is run when it should succeed.
    const url = args.map((word) => this.#translate(name, word)).find((word) => word.startsWith("http"));
    while (!this.#isStopping) {
      const isWorthTrying = url === undefined || (await answers(url));
      if (isWorthTrying && (await this.#passes(name, { command: program, args }))) return;
      await sleep(PROBE_EVERY_MS);
    }
  }

  async #passes(name: string, { command, args }: CommandLine): Promise<boolean> {
    // A server for tests may come without its command line: the same user asks the same question.
    if (command === "valkey-cli") {
      const [user = "", password = ""] = ["--user", "--pass"].map((flag) => args[args.indexOf(flag) + 1]);
      const { host } = this.#ports;
      return answersPing({ socket: "", host, port: this.#ports.of(name, 6379), user, password });
    }
    const words = args.map((word) => this.#translate(name, word));
    return (await this.runAs(name, { command, args: words })).code === 0;
  }

  #programOf(name: string, program: string): string {
    if (program === "node") return process.execPath;
    if (SERVER_NAMES.some((known) => known === program)) return this.#server.command;
    // A program that a test runs in a container's place.
    if (program.startsWith("/")) return program;
    throw new Error(`${name} runs ${program}, which no image of ours has`);
  }

  #environmentOf(name: string): Record<string, string> {
    const service = this.#serviceOf(name);
    const image = service.build === undefined ? {} : this.#options.image.env;
    const declared = Object.entries({ ...image, ...service.environment });
    return {
      ...(service.build === undefined ? this.#server.env : {}),
      ...Object.fromEntries(declared.map(([variable, value]) => [variable, this.#translate(name, value)])),
      ...this.#ports.variables(name, service.environment),
      // A container's file system is read-only; here root would write to the image what no other user can read.
      ...(service.user.uid === 0 ? { NODE_DISABLE_COMPILE_CACHE: "1" } : {}),
      // Its own `/tmp`.
      TMPDIR: this.folders.temporary(name),
    };
  }

  /** Translates a word of a container for this machine: its folders, its own loopback, the names of the others. */
  #translate(name: string, word: string): string {
    // The image is where it is, also where that is below what has the name of a container's own folder.
    if (word.startsWith(this.#options.image.dir)) return word;
    return this.#ports.translate(name, this.folders.translate(this.#serviceOf(name), name, word));
  }

  #serviceOf(name: string): ComposeService {
    const service = this.#services.get(name);
    if (service === undefined) throw new Error(`the compose file has no service ${name}`);
    return service;
  }
}

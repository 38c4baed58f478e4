import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "#shared/clock";
import { SERVER_NAMES } from "../../../infra/redis/find-redis-server.ts";
import type { RedisServer } from "../../../infra/redis/find-redis-server.ts";
import { answersPing, chooseFreePort } from "../../../infra/redis/redis-process.ts";
import type { Image } from "./build-image.ts";
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
}

/** The services of a compose file at work, each a process of its own on this machine. */
export interface RunningCompose {
  /** Services that have started, in that order. */
  readonly started: readonly string[];
  /** Returns the address on this machine of a container's port. */
  readonly urlOf: (service: string, port: number) => string;
  /** Returns the folder of a named volume. */
  readonly volume: (name: string) => string;
  /** Rejects when a service ends that should not, with the end of its output. Never resolves. */
  readonly failed: Promise<never>;
  /** Sends SIGTERM, to what others need last. Resolves to the exit codes; null for one that had to be killed. */
  stop(): Promise<Record<string, number | null>>;
}

const PROBE_EVERY_MS = 300;
const OUTPUT_SHOWN = 3000;

/** Container ports by the variable that sets them. Containers have a loopback each; here all share one. */
const PORTS: Readonly<Record<string, string>> = {
  SUTURE_GATEWAY_PORT: "8080",
  SUTURE_CONSOLE_PORT: "8081",
  SUTURE_REHEARSAL_PORT: "8082",
};

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output: string;
}

/**
 * Starts what `docker compose up --wait` starts, without containers: services in the order of `depends_on`, with
 * their own command and with no environment but the image's and the file's. Folders of volumes, names of services and
 * ports are put in place of those that containers have; nothing else is changed.
 *
 * @throws {Error} A service ends that should not, with the end of its output.
 */
export async function composeUp(options: ComposeUpOptions): Promise<RunningCompose> {
  const stage = new Stage(options);
  try {
    await stage.begin();
    return stage;
  } catch (error) {
    await stage.stop();
    throw error;
  }
}

class Stage implements RunningCompose {
  readonly started: string[] = [];
  readonly #options: ComposeUpOptions;
  readonly #services: ReadonlyMap<string, ComposeService>;
  /** Ports of this machine, by `service:port` of the containers. */
  readonly #ports = new Map<string, number>();
  readonly #running = new Map<string, Running>();
  #isStopping = false;
  #reportFailure: (error: Error) => void = () => undefined;
  readonly failed = new Promise<never>((_, reject) => (this.#reportFailure = reject));

  constructor(options: ComposeUpOptions) {
    this.#options = options;
    this.#services = new Map(
      Object.entries(options.file.services).filter(([, { profiles }]) => profiles.length === 0),
    );
    this.failed.catch(() => undefined);
  }

  urlOf = (service: string, port: number): string =>
    `http://127.0.0.1:${this.#ports.get(`${service}:${port}`) ?? 0}`;
  volume = (name: string): string => join(this.#options.folder, `volume-${name}`);

  async begin(): Promise<void> {
    for (const name of Object.keys(this.#options.file.volumes))
      mkdirSync(this.volume(name), { recursive: true, mode: 0o700 });
    for (const [name, service] of this.#services) await this.#choosePorts(name, service);
    await Promise.race([
      this.failed,
      Promise.all([...this.#services.keys()].map((name) => this.#start(name))),
    ]);
    const watched = [...this.#services].filter(([, { healthcheck }]) => healthcheck !== null);
    await Promise.race([this.failed, Promise.all(watched.map(([name]) => this.#untilHealthy(name)))]);
  }

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

  async #end(name: string): Promise<[string, number | null]> {
    const running = this.#running.get(name);
    running?.child.kill("SIGTERM");
    const graceMs = Number.parseInt(this.#serviceOf(name).stop_grace_period, 10) * 1000;
    const timer = setTimeout(() => running?.child.kill("SIGKILL"), graceMs);
    const code = (await running?.ended) ?? null;
    clearTimeout(timer);
    return [name, code];
  }

  readonly #starts = new Map<string, Promise<void>>();

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
    if (!this.#isStopping) this.#spawn(name);
  }

  #spawn(name: string): void {
    const service = this.#serviceOf(name);
    const [program = "", ...args] = service.command.map((word) => this.#translate(name, word));
    const { command, extra, env } = this.#programOf(name, program);
    const child = spawn(command, [...args, ...extra], {
      cwd: this.#options.image.dir,
      env: { ...env, ...this.#environmentOf(name) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(null));
      child.once("exit", resolve);
    });
    const running: Running = { child, ended, output: "" };
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => (running.output += String(chunk)));
    this.#running.set(name, running);
    this.started.push(name);
    void ended.then((code) => {
      // One that is not started again has a task to end; all others are to stay.
      if (this.#isStopping || (service.restart === "no" && code === 0)) return;
      this.#reportFailure(new Error(`${name} ended with ${code}: ${running.output.slice(-OUTPUT_SHOWN)}`));
    });
  }

  async #untilHealthy(name: string): Promise<void> {
    while (!this.#isStopping && !(await this.#isHealthy(name))) await sleep(PROBE_EVERY_MS);
  }

  #isHealthy(name: string): Promise<boolean> {
    const [kind, program = "", ...args] = this.#serviceOf(name).healthcheck?.test ?? [];
    if (kind !== "CMD") throw new Error(`${name} has no health check that is a command`);
    // A server for tests may come without its command line.
    if (program === "valkey-cli") return answersPing(this.#ports.get(`${name}:6379`) ?? 0);
    const child = spawn(
      this.#programOf(name, program).command,
      args.map((word) => this.#translate(name, word)),
      { cwd: this.#options.image.dir, env: this.#environmentOf(name), stdio: "ignore" },
    );
    return new Promise((resolve) => child.once("exit", (code) => resolve(code === 0)));
  }

  #programOf(name: string, program: string) {
    if (program === "node") return { command: process.execPath, extra: [], env: {} };
    if (SERVER_NAMES.some((known) => known === program)) {
      const { command, env } = this.#options.redis;
      const port = String(this.#ports.get(`${name}:6379`));
      return { command, extra: ["--port", port, "--bind", "127.0.0.1"], env };
    }
    throw new Error(`${name} runs ${program}, which no image of ours has`);
  }

  #environmentOf(name: string): Record<string, string> {
    const declared = { ...this.#options.image.env, ...this.#serviceOf(name).environment };
    const ports = Object.entries({ ...PORTS, ...declared }).filter(([variable]) => isPort(variable));
    const chosen = ports.map(([variable, port]) => [variable, String(this.#ports.get(`${name}:${port}`))]);
    const translated = Object.entries(declared).map(([variable, value]) => [
      variable,
      this.#translate(name, value),
    ]);
    return Object.fromEntries([...translated, ...chosen]);
  }

  /** What a word means inside a container: its volumes, its own loopback and the names of the others. */
  #translate(name: string, word: string): string {
    // What listens for other containers is to listen for this machine alone.
    if (word === "0.0.0.0") return "127.0.0.1";
    let text = word;
    for (const mount of this.#serviceOf(name).volumes) {
      const [from = "", to = ""] = mount.split(":");
      const folder = from.startsWith("./") ? join(this.#options.root, from) : this.volume(from);
      text = text.replaceAll(new RegExp(`${to}(?=/|$)`, "g"), folder);
    }
    return text.replaceAll(
      /([a-z][a-z0-9-]*|127\.0\.0\.1):(\d+)/g,
      (address: string, host: string, port: string) => {
        const mapped = this.#ports.get(`${host === "127.0.0.1" ? name : host}:${port}`);
        return mapped === undefined ? address : `127.0.0.1:${mapped}`;
      },
    );
  }

  async #choosePorts(name: string, { environment }: ComposeService): Promise<void> {
    const wanted = Object.entries({ ...PORTS, ...environment }).filter(([variable]) => isPort(variable));
    for (const port of new Set(["6379", ...wanted.map(([, value]) => value)]))
      this.#ports.set(`${name}:${port}`, await chooseFreePort(null));
  }

  #serviceOf(name: string): ComposeService {
    const service = this.#services.get(name);
    if (service === undefined) throw new Error(`the compose file has no service ${name}`);
    return service;
  }
}

function isPort(variable: string): boolean {
  return /^SUTURE_[A-Z]+_PORT$/.test(variable);
}

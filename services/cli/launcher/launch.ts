import { timestamp } from "#shared/clock";
import type { ApiKey, Config, ConfigOverrides } from "#shared/config";
import { loadConfig } from "#shared/config";
import type { PrivateRedis } from "../../../infra/redis/private-redis.ts";
import { isSameProcess, processIdentity } from "../../../infra/lock-folder.mjs";
import { AlreadyRunningError } from "../errors.ts";
import { chooseKey } from "../http/choose-key.ts";
import { choosePorts } from "./choose-ports.ts";
import { addressOf } from "./places.ts";
import type { Ports } from "./choose-ports.ts";
import { makeLoginLink } from "./login-link.ts";
import { prepare } from "./prepare.ts";
import type { Prepared } from "./prepare.ts";
import {
  agentNames,
  agentSpecs,
  consoleSpec,
  hasConsole,
  runsTogether,
  serviceSpec,
  togetherSpec,
  withHealthPort,
} from "./process-table.ts";
import type { Deployment } from "./process-table.ts";
import type { ServiceSpec } from "./service-spec.ts";
import { readRunFile, removeRunFile, writeRunFile } from "./run-file.ts";
import { Supervisor } from "./supervisor.ts";
import { waitForAgents, waitForHttp } from "./wait-until-ready.ts";

export interface LaunchOptions {
  /** Values of the command's flags, laid over the environment. */
  readonly overrides: ConfigOverrides;
  /** Processes for the agents, beside one for each service. Default: one process runs all of it. */
  readonly processes?: number;
  /** Take other ports where the configured ones are taken. Default false: that is an error. */
  readonly isFlexible?: boolean;
  readonly say: (line: string) => void;
  /** Aborting it gives up the start; what was started is stopped. */
  readonly signal: AbortSignal;
}

/** Time that services of a killed launcher need to notice and stop, in ms. */
const LEFTOVERS_STOP_MS = 15_000;

/** Offset from `SUTURE_HEALTH_PORT` of the first process for agents. */
const AGENTS_HEALTH_INDEX = 2;

/** Stop order: first what accepts work, then what handles it; the rest comes last. */
const STOP_ROUNDS: readonly ((name: string) => boolean)[] = [
  (name) => name === "gateway" || name === "console",
  (name) => name.startsWith("agents-") || name === "surgeon",
];

/**
 * Starts all services on this machine, waits until they are ready, and reports each step.
 *
 * @throws {AlreadyRunningError | PortTakenError | ServiceFailedError | ConfigError}
 * @throws {RedisMissingError | RedisStartError}
 */
export async function launch(options: LaunchOptions): Promise<Launcher> {
  const { overrides, say } = options;
  const config = loadConfig(undefined, overrides);
  const last = readRunFile(config.dataDir);
  if (last !== null && isSameProcess(last.identity)) {
    throw new AlreadyRunningError({ pid: last.pid, dataDir: config.dataDir });
  }
  const waitMs = last === null ? 0 : LEFTOVERS_STOP_MS;
  const ports = await choosePorts(config, { isFlexible: options.isFlexible ?? false, waitMs, say });
  const ofPorts = {
    SUTURE_GATEWAY_PORT: String(ports.gateway),
    SUTURE_CONSOLE_PORT: String(ports.console),
    SUTURE_REHEARSAL_PORT: String(ports.rehearsal),
  };
  const prepared = await prepare({ ...options, overrides: { ...overrides, ...ofPorts } });
  const launcher = new Launcher(options, prepared, ports);
  try {
    await launcher.begin();
    return launcher;
  } catch (error) {
    await launcher.stop();
    throw error;
  }
}

/** The processes of a start, in its order; services may share one. */
interface Plan {
  readonly rehearsal: ServiceSpec | null;
  readonly gateway: ServiceSpec;
  /** The surgeon: nothing waits for it. */
  readonly others: readonly ServiceSpec[];
  readonly agents: readonly { readonly spec: ServiceSpec; readonly names: readonly string[] }[];
  readonly console: ServiceSpec | null;
}

/** A running deployment on this machine. */
export class Launcher {
  readonly config: Config;
  readonly redisUrl: string;
  readonly gatewayUrl: string;
  /** A key with the widest scope there is. */
  readonly key: ApiKey;
  /** Null where this copy has no console. */
  consoleUrl: string | null = null;
  /** Null where no bundled server runs. */
  rehearsalUrl: string | null = null;
  /** Logs one browser in. Null without a console. */
  loginLink: string | null = null;
  readonly #options: LaunchOptions;
  readonly #deployment: Deployment;
  readonly #privateRedis: PrivateRedis | null;
  readonly #ports: Ports;
  readonly #supervisor: Supervisor;
  readonly #startedAt = timestamp();
  #stopped: Promise<void> | null = null;

  constructor(options: LaunchOptions, { deployment, redisUrl, privateRedis }: Prepared, ports: Ports) {
    this.#options = options;
    this.#deployment = deployment;
    this.#privateRedis = privateRedis;
    this.#ports = ports;
    this.config = deployment.config;
    this.redisUrl = redisUrl;
    this.gatewayUrl = addressOf(this.config.gatewayHost, ports.gateway);
    this.key = chooseKey(this.config.apiKeys ?? keysIn(deployment.apiKeys));
    this.#supervisor = new Supervisor({
      say: options.say,
      hold: privateRedis?.hold ?? null,
      onChange: () => this.#writeRunFile(),
    });
  }

  /** Rejects when a service keeps dying. Never resolves. */
  get failed(): Promise<never> {
    return this.#supervisor.failed;
  }

  async begin(): Promise<void> {
    const { say } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, this.#supervisor.givenUp]);
    const started = this.#plan();
    if (started.console !== null) this.loginLink = makeLoginLink(this.config.dataDir, this.#consoleUrl);
    if (started.rehearsal !== null) await this.#startRehearsal(started.rehearsal, signal);
    const { gateway, agents } = started;
    for (const spec of [gateway, ...started.others, ...agents.map((one) => one.spec)]) this.#start(spec);
    await waitForHttp({ spec: gateway, signal }, `${this.gatewayUrl}/readyz`);
    say(`Gateway at ${this.gatewayUrl}, its interface described at ${this.gatewayUrl}/docs.`);
    const key = this.key.secret.reveal();
    for (const { spec, names } of agents) {
      await waitForAgents({ spec, signal }, { gatewayUrl: this.gatewayUrl, key, agents: names });
      say(`Agents at work in ${spec.name}: ${names.join(", ")}.`);
    }
    await this.#startConsole(started.console, signal);
    this.#writeRunFile();
  }

  /** Stops everything in order, within the configured grace for each round. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Ends all services at once. */
  kill(): void {
    this.#supervisor.kill();
  }

  async #stop(): Promise<void> {
    await this.#supervisor.stop(STOP_ROUNDS, this.config.stopGraceMs);
    await this.#privateRedis?.stop();
    removeRunFile(this.config.dataDir);
  }

  /** Starts a process, once: services may share it. */
  #start(spec: ServiceSpec): void {
    if (!this.#supervisor.has(spec.name)) this.#supervisor.start(spec);
  }

  /** Returns the process of each service: one for all, unless something keeps them apart. */
  #plan(): Plan {
    const deployment = this.#deployment;
    const { processes } = this.#options;
    // It is not needed where both a model and outside systems of one's own are configured.
    const withRehearsal = this.config.isRehearsal || (process.env["SUTURE_SANDBOX_URL"] ?? "").trim() === "";
    if (processes === undefined && runsTogether(deployment)) {
      const one = togetherSpec(deployment, withRehearsal);
      return {
        rehearsal: withRehearsal ? one : null,
        gateway: one,
        others: [],
        agents: [{ spec: one, names: agentNames(deployment) }],
        console: hasConsole() ? one : null,
      };
    }
    const agents = agentSpecs(deployment, processes);
    // Health ports count on from the configured one: surgeon, console, agents.
    const [surgeon, console] = [serviceSpec(deployment, "surgeon"), consoleSpec(deployment)];
    const withHealth = (spec: ServiceSpec, index: number) => withHealthPort(deployment, spec, index);
    return {
      rehearsal: withRehearsal ? serviceSpec(deployment, "rehearsal") : null,
      gateway: serviceSpec(deployment, "gateway"),
      others: [withHealth(surgeon, 0)],
      agents: agents.map((spec, index) => ({
        spec: withHealth(spec, AGENTS_HEALTH_INDEX + index),
        names: spec.agents,
      })),
      console: console && withHealth(console, 1),
    };
  }

  get #consoleUrl(): string {
    return addressOf(this.config.consoleHost, this.#ports.console);
  }

  async #startRehearsal(spec: ServiceSpec, signal: AbortSignal): Promise<void> {
    const url = addressOf(this.config.rehearsalHost, this.#ports.rehearsal);
    this.#start(spec);
    await waitForHttp({ spec, signal }, `${url}/healthz`);
    this.rehearsalUrl = url;
    const { say } = this.#options;
    const { isRehearsal, rehearsalSeed, rehearsalFaultRate } = this.config;
    if (isRehearsal) {
      const share = Math.round(rehearsalFaultRate * 100);
      say(`REHEARSAL: no model is configured. Stand-ins answer at ${url}, not a model; ${share} % of`);
      say(
        `  their answers are damaged on purpose (seed ${rehearsalSeed}). Set OPENAI_API_KEY or OPENAI_BASE_URL for a model.`,
      );
    } else {
      say(
        `Sandbox of payments, tickets and customers at ${url}; models answer at ${this.config.openaiBaseUrl ?? "api.openai.com"}.`,
      );
    }
  }

  async #startConsole(spec: ServiceSpec | null, signal: AbortSignal): Promise<void> {
    const { say } = this.#options;
    if (spec === null) {
      say("Console: not part of this copy, left out.");
      return;
    }
    const url = this.#consoleUrl;
    this.#start(spec);
    await waitForHttp({ spec, signal }, `${url}/healthz`);
    this.consoleUrl = url;
    say(`Console at ${url}. This link logs you in, once: ${this.loginLink}`);
  }

  #writeRunFile(): void {
    if (this.#stopped !== null) return;
    writeRunFile({
      version: 1,
      pid: process.pid,
      identity: processIdentity(process.pid),
      started_at: this.#startedAt,
      gateway_url: this.gatewayUrl,
      console_url: this.consoleUrl,
      rehearsal_url: this.rehearsalUrl,
      rehearsal: this.config.isRehearsal,
      data_dir: this.config.dataDir,
      api_keys_file: this.#deployment.apiKeys?.slice(1) ?? null,
      redis_pid: this.#privateRedis?.pid ?? null,
      children: this.#supervisor.running(),
    });
  }
}

function keysIn(reference: string | null): readonly ApiKey[] {
  return reference === null ? [] : (loadConfig({}, { SUTURE_API_KEYS: reference }).apiKeys ?? []);
}

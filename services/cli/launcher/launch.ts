import { join } from "node:path";
import { randomHex, whenAborted } from "#shared/clock";
import type { ApiKey, Config, ConfigOverrides } from "#shared/config";
import { loadConfig } from "#shared/config";
import { isSameProcess, processIdentity } from "../../../infra/lock-folder.mjs";
import { AlreadyRunningError } from "../errors.ts";
import { chooseKey } from "../http/find-api.ts";
import { write } from "../print/print-answer.ts";
import { choosePorts } from "./choose-ports.ts";
import { prepare } from "./prepare.ts";
import type { Prepared } from "./prepare.ts";
import {
  agentNames,
  agentSpecs,
  runsTogether,
  serviceSpec,
  togetherSpec,
  withHealthPort,
} from "./process-table.ts";
import { addressOf, readRunFile, removeRunFile, writeRunFile } from "./run-file.ts";
import { writeSecret } from "./key-files.ts";
import type { ServiceSpec } from "./spawn-service.ts";
import { Supervisor } from "./supervisor.ts";
import { listenForStop, StopAskedFor } from "./stop-signals.ts";
import { waitForAgents, waitForHttp, waitUntil } from "./wait-until-ready.ts";

export interface LaunchOptions {
  /** Values of the command's flags, laid over the environment. */
  readonly overrides: ConfigOverrides;
  /** Processes for the agents, beside one for each service. Default: one process runs all of it. */
  readonly processes?: number | undefined;
  /** Take other ports where the configured ones are taken. Default false: that is an error. */
  readonly isFlexible?: boolean;
  readonly say: (line: string) => void;
  /** Aborting it gives up the start; what was started is stopped. */
  readonly signal: AbortSignal;
}

/** Time that services of a killed launcher need to notice and stop, in ms. */
const LEFTOVERS_STOP_MS = 15_000;
const LOGIN_TOKEN_BYTES = 24;

/** Stop order: first what accepts work, then what handles it; the rest comes last. */
const STOP_ROUNDS: readonly ((name: string) => boolean)[] = [
  (name) => name === "gateway" || name === "console",
  (name) => name.startsWith("agents-") || name === "surgeon",
];

/**
 * Starts all services on this machine, waits until they are ready, and reports each step.
 * @throws {AlreadyRunningError | PortTakenError | ServiceFailedError | ConfigError}
 * @throws {RedisMissingError | RedisStartError}
 */
async function launch(options: LaunchOptions): Promise<Launcher> {
  const { overrides, say } = options;
  const config = loadConfig(undefined, overrides);
  const last = readRunFile(config.dataDir);
  if (last !== null && isSameProcess(last.identity))
    throw new AlreadyRunningError({ pid: last.pid, dataDir: config.dataDir });
  const waitMs = last === null ? 0 : LEFTOVERS_STOP_MS;
  const ports = await choosePorts(config, { isFlexible: options.isFlexible ?? false, waitMs, say });
  const ofPorts = {
    SUTURE_GATEWAY_PORT: String(ports.gateway),
    SUTURE_CONSOLE_PORT: String(ports.console),
    SUTURE_REHEARSAL_PORT: String(ports.rehearsal),
  };
  const prepared = await prepare({ ...options, overrides: { ...overrides, ...ofPorts } });
  const launcher = new Launcher(options, prepared);
  try {
    await launcher.begin();
    return launcher;
  } catch (error) {
    await launcher.stop();
    throw error;
  }
}

/** Starts everything and keeps it running until a signal asks for the end, or a service cannot be kept alive. */
export async function runUp(overrides: ConfigOverrides, processes: number | undefined): Promise<void> {
  await keepLaunched({ overrides, processes, say: write }, async (launched, signal) => {
    write("Ready. Ctrl+C stops everything; twice, at once.");
    await Promise.race([whenAborted(signal), launched.failed]);
  });
}

/** Runs `work` with everything started, and stops everything afterwards, whatever happens. */
export async function keepLaunched(
  options: Omit<LaunchOptions, "signal">,
  work: (launched: Launcher, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  let launched: Launcher | null = null;
  const { signal, release } = listenForStop(() => {
    launched?.kill();
    process.exit(1);
  });
  try {
    launched = await launch({ ...options, signal });
    await work(launched, signal);
  } catch (error) {
    // Asked for during the start or the work: there is nothing to complain about.
    if (!(error instanceof StopAskedFor)) throw error;
  } finally {
    if (launched !== null) {
      options.say("Stopping: work in hand is finished or given back to its queue.");
      await launched.stop();
      options.say("Stopped.");
    }
    release();
  }
}

/** The processes of a start, in its order; services may share one. */
interface Plan {
  readonly rehearsal: ServiceSpec | null;
  readonly gateway: ServiceSpec;
  /** Nothing waits for it. */
  readonly surgeon: ServiceSpec;
  readonly agents: readonly { readonly spec: ServiceSpec; readonly names: readonly string[] }[];
  readonly console: ServiceSpec;
}

/** A running deployment on this machine. */
export class Launcher {
  /** With the ports that were chosen. */
  readonly config: Config;
  /** For a look at the store, as the console has it. */
  readonly redisUrl: string;
  readonly gatewayUrl: string;
  readonly consoleUrl: string;
  /** A key with the widest scope there is. */
  readonly key: ApiKey;
  /** Null where no bundled server runs. */
  rehearsalUrl: string | null = null;
  /** Logs one browser in; the console reads its token from the data folder. */
  readonly loginLink: string;
  readonly #options: LaunchOptions;
  readonly #prepared: Prepared;
  readonly #supervisor: Supervisor;
  #isReady = false;
  #stopped: Promise<void> | null = null;

  constructor(options: LaunchOptions, prepared: Prepared) {
    const { deployment, redisUrlOf, privateRedis } = prepared;
    const { config, apiKeys } = deployment;
    this.#options = options;
    this.#prepared = prepared;
    this.config = config;
    this.redisUrl = redisUrlOf("console");
    this.gatewayUrl = addressOf(config.gatewayHost, config.gatewayPort);
    this.consoleUrl = addressOf(config.consoleHost, config.consolePort);
    const generated = apiKeys === null ? null : loadConfig({}, { SUTURE_API_KEYS: apiKeys }).apiKeys;
    this.key = chooseKey(config.apiKeys ?? generated ?? []);
    const token = randomHex(LOGIN_TOKEN_BYTES);
    writeSecret(join(config.dataDir, "keys", "console-login"), token);
    this.loginLink = `${this.consoleUrl}/login#${token}`;
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
    const supervisor = this.#supervisor;
    const signal = AbortSignal.any([this.#options.signal, supervisor.givenUp]);
    const { rehearsal, gateway, surgeon, agents, console } = this.#plan();
    if (rehearsal !== null) await this.#startRehearsal(rehearsal, signal);
    for (const spec of [gateway, surgeon, ...agents.map((one) => one.spec)]) supervisor.start(spec);
    await this.#waitFor(gateway, `${this.gatewayUrl}/readyz`, signal);
    say(`Gateway at ${this.gatewayUrl}, its interface described at ${this.gatewayUrl}/docs.`);
    const key = this.key.secret.reveal();
    for (const { spec, names } of agents) {
      await waitForAgents({ spec, signal }, { gatewayUrl: this.gatewayUrl, key, agents: names });
      say(`Agents at work in ${spec.name}: ${names.join(", ")}.`);
    }
    supervisor.start(console);
    await this.#waitFor(console, `${this.consoleUrl}/healthz`, signal);
    say(`Console at ${this.consoleUrl}. This link logs you in, once: ${this.loginLink}`);
    this.#isReady = true;
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
    await this.#prepared.privateRedis?.stop();
    removeRunFile(this.config.dataDir);
  }

  /** Returns the process of each service: one for all, unless something keeps them apart. */
  #plan(): Plan {
    const { deployment } = this.#prepared;
    const { processes } = this.#options;
    // It is not needed where both a model and outside systems of one's own are configured.
    const withRehearsal = this.config.isRehearsal || (process.env["SUTURE_SANDBOX_URL"] ?? "").trim() === "";
    if (processes === undefined && runsTogether(deployment)) {
      const one = togetherSpec(deployment, withRehearsal);
      const agents = [{ spec: one, names: agentNames(deployment) }];
      return { rehearsal: withRehearsal ? one : null, gateway: one, surgeon: one, agents, console: one };
    }
    // Health ports count on from the configured one: surgeon, console, agents.
    const withHealth = (spec: ServiceSpec, index: number) => withHealthPort(deployment, spec, index);
    return {
      rehearsal: withRehearsal ? serviceSpec(deployment, "rehearsal") : null,
      gateway: serviceSpec(deployment, "gateway"),
      surgeon: withHealth(serviceSpec(deployment, "surgeon"), 0),
      console: withHealth(serviceSpec(deployment, "console"), 1),
      agents: agentSpecs(deployment, processes).map((spec, index) => ({
        spec: withHealth(spec, 2 + index),
        names: spec.agents,
      })),
    };
  }

  async #startRehearsal(spec: ServiceSpec, signal: AbortSignal): Promise<void> {
    const { isRehearsal, rehearsalSeed, rehearsalFaultRate, openaiBaseUrl, ...config } = this.config;
    const { say } = this.#options;
    const url = addressOf(config.rehearsalHost, config.rehearsalPort);
    this.#supervisor.start(spec);
    await this.#waitFor(spec, `${url}/healthz`, signal);
    this.rehearsalUrl = url;
    if (!isRehearsal)
      return say(
        `Sandbox of payments, tickets and customers at ${url}; models answer at ${openaiBaseUrl ?? "api.openai.com"}.`,
      );
    const share = Math.round(rehearsalFaultRate * 100);
    say(`REHEARSAL: no model is configured. Stand-ins answer at ${url}, not a model; ${share} % of`);
    say(
      `  their answers are damaged on purpose (seed ${rehearsalSeed}). Set OPENAI_API_KEY or OPENAI_BASE_URL for a model.`,
    );
  }

  /** Until the process itself has opened: another program may answer at its address. */
  async #waitFor(spec: ServiceSpec, url: string, signal: AbortSignal): Promise<void> {
    await waitUntil({ spec, signal }, async () => this.#supervisor.isOpen(spec));
    await waitForHttp({ spec, signal }, url);
  }

  #writeRunFile(): void {
    if (this.#stopped !== null) return;
    writeRunFile({
      pid: process.pid,
      identity: processIdentity(process.pid),
      gateway_url: this.gatewayUrl,
      console_url: this.#isReady ? this.consoleUrl : null,
      rehearsal_url: this.rehearsalUrl,
      data_dir: this.config.dataDir,
      api_keys_file: this.#prepared.deployment.apiKeys?.slice(1) ?? null,
      redis_pid: this.#prepared.privateRedis?.pid ?? null,
      children: this.#supervisor.running(),
    });
  }
}

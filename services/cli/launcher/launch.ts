import { join } from "node:path";
import { randomHex, whenAborted } from "#shared/clock";
import type { ConfigOverrides } from "#shared/config";
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
import type { Deployment } from "./process-table.ts";
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

/** A running deployment on this machine. */
export type Launched = Awaited<ReturnType<typeof launch>>;

/**
 * Starts all services on this machine, waits until they are ready, and reports each step.
 * @throws {AlreadyRunningError | PortTakenError | ServiceFailedError | ConfigError}
 * @throws {RedisMissingError | RedisStartError}
 */
async function launch(options: LaunchOptions) {
  const prepared = await prepareLaunch(options);
  const { deployment, redisUrlOf, privateRedis } = prepared;
  const { config, apiKeys } = deployment;
  const generated = apiKeys === null ? null : loadConfig({}, { SUTURE_API_KEYS: apiKeys }).apiKeys;
  const plan = planOf(deployment, options.processes);
  const addresses = {
    gatewayUrl: addressOf(config.gatewayHost, config.gatewayPort),
    consoleUrl: addressOf(config.consoleHost, config.consolePort),
    /** Null where no bundled server runs. */
    rehearsalUrl: plan.rehearsal && addressOf(config.rehearsalHost, config.rehearsalPort),
  };
  let phase: "starting" | "ready" | "stopped" = "starting";
  const noteState = (): void => {
    if (phase === "stopped") return;
    writeRunFile({
      pid: process.pid,
      identity: processIdentity(process.pid),
      gateway_url: addresses.gatewayUrl,
      console_url: phase === "ready" ? addresses.consoleUrl : null,
      rehearsal_url: addresses.rehearsalUrl,
      data_dir: config.dataDir,
      api_keys_file: apiKeys?.slice(1) ?? null,
      redis_pid: privateRedis?.pid ?? null,
      children: supervisor.running(),
    });
  };
  const hold = privateRedis?.hold ?? null;
  const supervisor: Supervisor = new Supervisor({ say: options.say, hold, onChange: noteState });
  const launched = {
    ...addresses,
    /** With the ports that were chosen. */
    config,
    /** For a look at the store, as the console has it. */
    redisUrl: redisUrlOf("console"),
    /** A key with the widest scope there is. */
    key: chooseKey(config.apiKeys ?? generated ?? []),
    /** Logs one browser in; the console reads its token from the data folder. */
    loginLink: `${addresses.consoleUrl}/login#${makeLoginToken(config.dataDir)}`,
    /** Rejects when a service keeps dying. Never resolves. */
    failed: supervisor.failed,
    /** Stops everything in order, within the configured grace for each round. */
    async stop(): Promise<void> {
      phase = "stopped";
      await supervisor.stop(STOP_ROUNDS, config.stopGraceMs);
      await privateRedis?.stop();
      removeRunFile(config.dataDir);
    },
    /** Ends all services at once. */
    kill: () => supervisor.kill(),
  };
  try {
    await startAll({ launched, plan, supervisor }, options);
  } catch (error) {
    await launched.stop();
    throw error;
  }
  phase = "ready";
  noteState();
  return launched;
}

/** Chooses the ports, and opens what all services need. */
async function prepareLaunch(options: LaunchOptions): Promise<Prepared> {
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
  return prepare({ ...options, overrides: { ...overrides, ...ofPorts } });
}

function makeLoginToken(dataDir: string): string {
  const token = randomHex(LOGIN_TOKEN_BYTES);
  writeSecret(join(dataDir, "keys", "console-login"), token);
  return token;
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
  work: (launched: Launched, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  let launched: Launched | null = null;
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

/** Returns the process of each service: one for all, unless something keeps them apart. */
function planOf(deployment: Deployment, processes: number | undefined): Plan {
  // It is not needed where both a model and outside systems of one's own are configured.
  const withRehearsal =
    deployment.config.isRehearsal || (process.env["SUTURE_SANDBOX_URL"] ?? "").trim() === "";
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

async function startAll(
  { launched, plan, supervisor }: { launched: Launched; plan: Plan; supervisor: Supervisor },
  { say, signal: stopped }: LaunchOptions,
): Promise<void> {
  const { gatewayUrl, consoleUrl, rehearsalUrl } = launched;
  const { rehearsal, gateway, surgeon, agents, console } = plan;
  const signal = AbortSignal.any([stopped, supervisor.givenUp]);
  // Until the process itself has opened: another program may answer at its address.
  const waitFor = async (spec: ServiceSpec, url: string): Promise<void> => {
    await waitUntil({ spec, signal }, async () => supervisor.isOpen(spec));
    await waitForHttp({ spec, signal }, url);
  };
  if (rehearsal !== null) {
    supervisor.start(rehearsal);
    await waitFor(rehearsal, `${rehearsalUrl}/healthz`);
    for (const line of describeRehearsal(launched)) say(line);
  }
  for (const spec of [gateway, surgeon, ...agents.map((one) => one.spec)]) supervisor.start(spec);
  await waitFor(gateway, `${gatewayUrl}/readyz`);
  say(`Gateway at ${gatewayUrl}, its interface described at ${gatewayUrl}/docs.`);
  const key = launched.key.secret.reveal();
  for (const { spec, names } of agents) {
    await waitForAgents({ spec, signal }, { gatewayUrl, key, agents: names });
    say(`Agents at work in ${spec.name}: ${names.join(", ")}.`);
  }
  supervisor.start(console);
  await waitFor(console, `${consoleUrl}/healthz`);
  say(`Console at ${consoleUrl}. This link logs you in, once: ${launched.loginLink}`);
}

function describeRehearsal({ config, rehearsalUrl: url }: Launched): string[] {
  const { isRehearsal, rehearsalSeed, rehearsalFaultRate, openaiBaseUrl } = config;
  if (!isRehearsal)
    return [
      `Sandbox of payments, tickets and customers at ${url}; models answer at ${openaiBaseUrl ?? "api.openai.com"}.`,
    ];
  const share = Math.round(rehearsalFaultRate * 100);
  return [
    `REHEARSAL: no model is configured. Stand-ins answer at ${url}, not a model; ${share} % of`,
    `  their answers are damaged on purpose (seed ${rehearsalSeed}). Set OPENAI_API_KEY or OPENAI_BASE_URL for a model.`,
  ];
}

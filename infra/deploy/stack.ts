import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { runTool } from "../redis/run-tool.ts";
import { SUTURE_IMAGE, VALKEY_IMAGE } from "./build-images.ts";
import { docker, HOST_ADDRESS, run } from "./engine.ts";

const PROJECT = "suture";
/** Containers that start at once: all together would starve each other on a small machine. */
const AT_ONCE = 8;
const COMMAND_TIMEOUT_MS = 120_000;
const HEALTHY_WITHIN_MS = 240_000;
const ASK_EVERY_MS = 500;
/** The key of the model, and the port of its endpoint on `HOST_ADDRESS`. */
export const MODEL_KEY = "sk-test-0123456789abcdef";
export const MODEL_PORT = 8099;

/** Exit code and output of a command in a container. */
export interface Ended {
  readonly isOk: boolean;
  readonly output: string;
}

/** Runs a command of Compose on this repository's file, with nothing set but images, model key and address. */
export function compose(...args: readonly string[]): Promise<string> {
  const env = {
    SUTURE_IMAGE,
    VALKEY_IMAGE,
    OPENAI_API_KEY: MODEL_KEY,
    OPENAI_BASE_URL: `http://${HOST_ADDRESS}:${MODEL_PORT}/v1`,
  };
  return run("docker-compose", ["--project-name", PROJECT, ...args], { env });
}

/** Starts all services, some at a time, until each is healthy. Returns their names. @throws {Error} One is not. */
export async function bringUp(): Promise<string[]> {
  const names = (await compose("config", "--services")).trim().split("\n");
  // A gateway is not ready before there are agents. Compose lists the names in any order.
  const first = names.filter((name) => !["redis", "keys", "gateway"].includes(name)).toSorted();
  const others = [...first, "gateway"];
  const waves = Array.from({ length: Math.ceil(others.length / AT_ONCE) }, (_, index) =>
    others.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  await compose("up", "--detach", "--no-build", "redis");
  await untilHealthy(["redis"]);
  for (const wave of waves) {
    await compose("up", "--detach", "--no-build", "--no-deps", ...wave);
    await untilHealthy(wave);
  }
  return [...others, "redis"];
}

/** Waits until the services' checks of health succeed. @throws {Error} One does not; with what it has written. */
export async function untilHealthy(services: readonly string[]): Promise<void> {
  const untilMs = performance.now() + HEALTHY_WITHIN_MS;
  for (;;) {
    const healthy = await docker("ps", "--filter", "health=healthy", "--format", "{{.Names}}");
    const names = new Set(healthy.trim().split("\n"));
    const [missing] = services.filter((service) => !names.has(containerOf(service)));
    if (missing === undefined) return;
    if (performance.now() > untilMs)
      throw new Error(
        `${missing} is not healthy:\n${await docker("logs", "--tail", "30", containerOf(missing))}`,
      );
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}

/** Returns the name of a service's container. */
export function containerOf(service: string): string {
  return `${PROJECT}-${service}-1`;
}

/** Returns the folder of this machine that is a volume. */
export function volumeOf(name: string): string {
  return join(process.env["DEPLOY_FOLDER"] ?? "", `data/volumes/${PROJECT}_${name}/_data`);
}

/** Runs a command in a service's container, as its user and with its environment and `env` laid over it. */
export function execIn(
  service: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const variables = Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const args = ["exec", ...variables, containerOf(service), ...command];
  return runTool({ command: "docker", args, timeoutMs: COMMAND_TIMEOUT_MS });
}

const stateSchema = z.object({
  State: z.object({ Pid: z.int(), ExitCode: z.int(), Running: z.boolean() }),
  HostConfig: z.object({
    ReadonlyRootfs: z.boolean(),
    Init: z.boolean().nullable(),
    Privileged: z.boolean(),
  }),
  NetworkSettings: z.object({ Networks: z.record(z.string(), z.object({ IPAddress: z.string() })) }),
});

/** Returns what the engine says of a service's container. */
export async function inspect(service: string): Promise<z.infer<typeof stateSchema>> {
  const [state] = z.tuple([stateSchema]).parse(JSON.parse(await docker("inspect", containerOf(service))));
  return state;
}

/** Returns the process of a service that its container's first process started. */
export async function pidOf(service: string): Promise<number> {
  const { Pid } = (await inspect(service)).State;
  return Number(readFileSync(`/proc/${Pid}/task/${Pid}/children`, "utf8").trim().split(" ")[0]);
}

/** Returns the address of a service on the inner network. */
export async function addressOf(service: string): Promise<string> {
  return (await inspect(service)).NetworkSettings.Networks[`${PROJECT}_inside`]?.IPAddress ?? "";
}

/** Takes a service off the inner network, or puts it back under its name. */
export async function cutNetwork(service: string, isCut: boolean): Promise<void> {
  const network = `${PROJECT}_inside`;
  if (isCut) await docker("network", "disconnect", "--force", network, containerOf(service));
  else await docker("network", "connect", "--alias", service, network, containerOf(service));
}

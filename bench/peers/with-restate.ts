import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";
import { stopOnInterrupt } from "../with-redis.ts";
import { countTreeCpu } from "./process-cpu.ts";
import type { Server } from "./server.ts";

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 20_000;
const POLL_MS = 200;

/** The program of the installed package; null where there is none for this platform. */
export function findRestate(): string | null {
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  const program = fileURLToPath(new URL(`./node_modules/${name}/bin/restate-server`, import.meta.url));
  return existsSync(program) ? program : null;
}

/** Lends a Restate server of its own on the loopback, in a folder that is removed afterwards. */
export async function withRestate<Result>(
  program: string,
  use: (server: Server) => Promise<Result>,
): Promise<Result> {
  const dir = mkdtempSync(join(tmpdir(), "suture-bench-restate-"));
  const [ingress, admin, node] = [
    await chooseFreePort(null),
    await chooseFreePort(null),
    await chooseFreePort(null),
  ];
  const restate = spawn(program, ["--base-dir", dir, "--no-logo"], {
    cwd: dir,
    stdio: "ignore",
    env: {
      RESTATE_DISABLE_TELEMETRY: "true",
      RESTATE_LISTEN_MODE: "tcp",
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_LOG_FILTER: "error",
    },
  });
  const stop = async (): Promise<void> => {
    await end(restate);
    rmSync(dir, { recursive: true, force: true });
  };
  return stopOnInterrupt(stop, async () => {
    const adminUrl = `http://127.0.0.1:${admin}`;
    await waitUntilListening(admin, restate);
    await waitUntilListening(ingress, restate);
    await waitUntilHealthy(adminUrl);
    return use({
      url: `http://127.0.0.1:${ingress}`,
      prefix: adminUrl,
      count: countTreeCpu(restate),
    });
  });
}

async function waitUntilHealthy(adminUrl: string): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    const isHealthy = await fetch(`${adminUrl}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`Restate was not healthy within ${READY_WITHIN_MS} ms`);
}

/** Waits until a connection is taken. The program's own first clients wait for the rest of its start. */
async function waitUntilListening(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} while starting`);
    if (await takesConnections(port)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`the server did not listen within ${READY_WITHIN_MS} ms`);
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

/** Ends a server that closes its clients' connections when it is interrupted. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await exited;
  clearTimeout(timer);
}

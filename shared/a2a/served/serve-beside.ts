import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { RemoteAgentUnavailableError } from "../errors.ts";

/** Programs of the command line, by address: a process of its own is no import. */
const program = (name: string): string =>
  fileURLToPath(new URL(`../../../services/cli/${name}${extname(import.meta.filename)}`, import.meta.url));

/** Variables that any program needs from its system. */
const SYSTEM = ["PATH", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "NODE_COMPILE_CACHE"];

/** Address of a served agent, as `remoteAgent` takes it. */
export type ServedBeside = ReturnType<typeof serveBeside>;

/** Serves a file's agent beside this process, started at first use with `passes` of the environment, and again. */
export function serveBeside(file: URL, passes: readonly string[]) {
  let serving: ReturnType<typeof start> | null = null;
  const told = () => (serving ??= start(fileURLToPath(file), passes, () => (serving = null)));
  return {
    card: async () => (await told()).card,
    headers: async () => ({ authorization: `Bearer ${(await told()).token}` }),
  };
}

async function start(file: string, passes: readonly string[], onEnd: () => void) {
  const given = Object.entries(process.env).filter(([name]) => [...SYSTEM, ...passes].includes(name));
  const node = ["--disable-sigusr1", "--import", program("launcher/stop-with-parent"), program("main")];
  const child = spawn(process.execPath, [...node, "serve-agent", file, "--port", "0"], {
    env: Object.fromEntries(given),
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    // Ctrl+C does not reach it: this process may still need it.
    detached: true,
  });
  child.once("exit", onEnd);
  child.once("error", onEnd);
  const ended = once(child, "exit").then(() => {
    throw new RemoteAgentUnavailableError(basename(file), "ended before it could be asked");
  });
  const [message] = await Promise.race([once(child, "message"), ended]);
  child.unref();
  child.channel?.unref();
  return z.object({ card: z.url(), token: z.string() }).parse(message);
}

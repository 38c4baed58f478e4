import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Starts a provider as a process of its own, until the test ends. @returns Its issuer. */
export async function startOpenIdProvider(redirectUri: string): Promise<string> {
  const program = join(import.meta.dirname, "openid-provider-process.ts");
  const child = spawn(process.execPath, [program, redirectUri], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return String(line).trim();
}

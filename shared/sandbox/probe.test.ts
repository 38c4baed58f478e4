import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findTool } from "./in-namespaces.ts";
import { findMissingIsolation } from "./run-sandboxed.ts";

const DOOR = fileURLToPath(new URL("run-sandboxed.ts", import.meta.url));
const TELL = `import { findMissingIsolation } from ${JSON.stringify(DOOR)}; process.stdout.write(String(await findMissingIsolation()));`;

/** What a process finds that was started by these programs, one calling the next. */
function findAs(programs: readonly string[]): Promise<string> {
  const [command = "", ...before] = programs;
  const node = command === process.execPath ? [] : [process.execPath];
  const args = [...before, ...node, "--input-type=module", "--eval", TELL];
  return text(spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] }).stdout);
}

describe.skipIf(process.platform !== "linux")("the probe", () => {
  test("finds nothing missing where these tests run", async () => {
    expect(await findMissingIsolation()).toBeNull();
  });

  test.skipIf(process.getuid?.() !== 0)("names the capability that root lacks in a container", async () => {
    const without = ["--bounding-set=-sys_admin", "--inh-caps=-sys_admin"];
    expect(await findAs([findTool("setpriv"), ...without])).toMatch(/unshare failed.*SYS_ADMIN/s);
  });

  test("names a system that has no namespaces", async () => {
    const mac = 'Object.defineProperty(process, "platform", { value: "darwin" });';
    expect(await findAs([process.execPath, "--import", `data:text/javascript,${mac}`])).toContain("darwin");
  });
});

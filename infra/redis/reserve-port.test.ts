import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { chooseFreePort, reservePort } from "./redis-process.ts";

const MODULE = fileURLToPath(new URL("./redis-process.ts", import.meta.url));

function reservedElsewhere(port: number): string {
  const program = `process.stdout.write(String(await (await import(${JSON.stringify(MODULE)})).reservePort(${port})));`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
}

describe.runIf(process.platform === "linux")("a reserved port", () => {
  it("is given to no other process, nor again to this one", async () => {
    const port = await chooseFreePort(null);
    expect(await reservePort(port)).toBe(false);
    expect(reservedElsewhere(port)).toBe("false");
  });

  it("is free again when its process has ended", async () => {
    const port = await chooseFreePort(null);
    expect(reservedElsewhere(port + 1)).toBe("true");
    expect(await reservePort(port + 1)).toBe(true);
  });
});

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("docker-compose.yml is what the command writes for the sample teams", () => {
  const written = execFileSync(process.execPath, ["services/cli/main.ts", "compose", "write"], {
    env: { PATH: process.env["PATH"] ?? "" },
    encoding: "utf8",
  });
  expect(readFileSync("docker-compose.yml", "utf8")).toBe(written);
});

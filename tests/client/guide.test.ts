import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { SECRETS, startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import { processEnv } from "../support/process-env.ts";
import { buildClient } from "./build-client.ts";
import { hasNoPython, NEEDED } from "./has-python.ts";

const run = promisify(execFile);
const Note = contract("note@1", z.object({ text: z.string() }));
const Facts = contract("facts@1", z.object({ facts: z.array(z.string()) }));
const Report = contract("report@1", z.object({ count: z.number() }));
const report = team(
  "report",
  [
    agent("extract@1", {
      accepts: Note,
      to: { write: Facts },
      handle: ({ text }, ctx) => ctx.handoff("write", { facts: text.split(". ") }),
    }),
    agent("write@1", {
      accepts: Facts,
      handle: ({ facts }, ctx) => ctx.complete({ count: facts.length }),
    }),
  ],
  { result: Report },
);

const page = await readFile(new URL("../../docs/guides/client.md", import.meta.url), "utf8");
const blocks = (language: string): string =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}[^\\n]*\\n([^]*?)^\`\`\``, "gm"))]
    .map(([, code]) => code)
    .join("\n");

async function openGuide() {
  const gateway = await startTestGateway({ team: report });
  await gateway.system.start();
  const folder = await mkdtemp(join(tmpdir(), "suture-guide-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { ...processEnv(), SUTURE_URL: gateway.url, SUTURE_KEY: SECRETS.submit };
  return { gateway, folder, options: { cwd: folder, env, timeout: 60_000 } };
}

test("the TypeScript of the guide runs", async () => {
  const { folder, options } = await openGuide();
  const installed = join(folder, "node_modules/suture");
  await mkdir(installed, { recursive: true });
  const manifest = { name: "suture", type: "module", exports: { "./client": "./client.js" } };
  await writeFile(join(installed, "package.json"), JSON.stringify(manifest));
  await writeFile(join(installed, "client.js"), await buildClient());
  await writeFile(join(folder, "guide.mts"), blocks("ts"));
  const { stdout } = await run(process.execPath, ["guide.mts"], options);
  expect(stdout).toMatch(/^2\nextract \[.*write.*\]\nsha256:[0-9a-f]{64} [0-9a-f]{64}\n$/s);
});

test("the Python of the guide runs", async ({ skip }) => {
  skip(hasNoPython, NEEDED);
  const { folder, options } = await openGuide();
  await writeFile(join(folder, "guide.py"), blocks("python"));
  const { stdout } = await run("python3", ["guide.py"], options);
  expect(stdout).toBe("completed 2\n");
});

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { startScratchRedis } from "../../redis/scratch-redis.ts";
import { lightNodeOf, nodes, run } from "./open-outside.ts";
import { z } from "zod";

/** Programs of an outside project, which are copied into it without `.txt`. */
const OUTSIDE = join(import.meta.dirname, "outside");
const COMPLETE_LOCKFILE = join(import.meta.dirname, "../../complete-lockfile.mjs");
const WITHIN_MS = 120_000;

/** Takes a new project from init to wards on queues. @throws {Error} A step fails; it has what it wrote. */
export async function startNewProject(
  root: string,
  folder: string,
  say: (line: string) => void,
): Promise<void> {
  const suture = (...args: readonly string[]): string => run("npx", ["suture", ...args], { cwd: folder });
  suture("init", "--yes");
  for (const path of [".env.example", ".dockerignore", ".github/workflows/ci.yml"])
    if (!existsSync(join(folder, path))) throw new Error(`suture init wrote no ${path}.`);
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
  // A registry may lack packages for other platforms, and `npm ci` in the image then refuses the lockfile.
  run(process.execPath, [COMPLETE_LOCKFILE, join(folder, "package-lock.json")], { cwd: folder });
  say("suture init, npm install");
  copyFileSync(join(OUTSIDE, "service.ts.txt"), join(folder, "service.ts"));
  writeQuickStart(root, folder);
  const tsc = [join(folder, "node_modules/typescript/bin/tsc")];
  run(process.execPath, tsc, { cwd: folder });
  say("types hold: strict, nodenext, es2022, libraries checked");
  suture("new", "agent", "second-reader");
  for (const node of nodes(root))
    run(node, [join(folder, "node_modules/vitest/vitest.mjs"), "run"], { cwd: folder });
  say("npm test in both Nodes: the first team, the quick start's, another");
  const oldest = nodes(root).at(-1) ?? process.execPath;
  await submitFromService({ node: oldest, lightNode: lightNodeOf(root) }, folder);
  say(
    "suture dev, a typed answer in a Fastify service, the quick start's client, A2A and MCP clients, a reload, in the older Node; client and repair in Node 20",
  );
  await attachWards(oldest, folder);
  say("a ward on a queue of 500 jobs, 60 of them failed in ten ways; a ward in a Nest application");
}

async function attachWards(node: string, folder: string): Promise<void> {
  const redis = await startScratchRedis(join(folder, ".suture"));
  try {
    for (const name of ["ward.mjs", "nest.mjs"]) runOutside(node, folder, { name, redisUrl: redis.url });
  } finally {
    await redis.stop();
  }
}

function runOutside(
  node: string,
  folder: string,
  program: { readonly name: string; readonly redisUrl?: string },
): void {
  const { name, redisUrl } = program;
  copyFileSync(join(OUTSIDE, `${name}.txt`), join(folder, name));
  const env = { ...process.env, ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }) };
  run(node, [name], { cwd: folder, env });
}

async function submitFromService(
  { node, lightNode }: { readonly node: string; readonly lightNode: string },
  folder: string,
): Promise<void> {
  const flags = ["--port", "0", "--console-port", "0", "--rehearsal-port", "0"];
  const dev = start(node, ["node_modules/suture/suture.js", "dev", ...flags], folder);
  const team = join(folder, "teams/hello/stand-in.ts");
  const before = readFileSync(team, "utf8");
  try {
    await dev.says("Ready.");
    await ask(node, folder, "The parcel is late.");
    runClient(node, folder);
    runOutside(node, folder, { name: "protocols.mjs" });
    runOutside(lightNode, folder, { name: "light.mjs" });
    writeFileSync(team, before.replace("return { gist: sentence", "return { gist: `Re: ${sentence}`"));
    await dev.says("Ready.");
    await ask(node, folder, "Re: The parcel is late.");
  } finally {
    writeFileSync(team, before);
    await dev.stop();
  }
}

/** Asks by way of the service, which ends afterwards. */
async function ask(node: string, folder: string, expected: string): Promise<void> {
  const service = start(node, ["service.ts"], folder);
  try {
    const address = (await service.says("http://")).trim();
    const response = await fetch(`${address}/gist`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "The parcel is late. It was sent on Monday." }),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const answer = await response.text();
    if (answer !== JSON.stringify({ gist: expected, length: expected.length }))
      throw new Error(`The service answered ${response.status}: ${answer}`);
  } finally {
    await service.stop();
  }
}

interface Started {
  /** Waits for a line of standard output that begins so, and that no earlier call has found. */
  says(start: string): Promise<string>;
  stop(): Promise<void>;
}

function start(node: string, args: readonly string[], cwd: string): Started {
  const child: ChildProcess = spawn(node, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let said = "";
  let errors = "";
  let seen = 0;
  child.stdout?.on("data", (data) => (said += String(data)));
  child.stderr?.on("data", (data) => (errors += String(data)));
  return {
    async says(begin) {
      const deadline = performance.now() + WITHIN_MS;
      while (performance.now() < deadline && child.exitCode === null) {
        const lines = said.split("\n").slice(0, -1);
        const at = lines.findIndex((line, index) => index >= seen && line.startsWith(begin));
        if (at !== -1) {
          seen = at + 1;
          return lines[at] ?? "";
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`${args.join(" ")} did not say "${begin}":\n${said}${errors}`);
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

const PAGE_ADDRESS = "http://127.0.0.1:8080";
const PAGE = "docs/quick-start/library.md";
/** Commands of the page, which the story goes through. */
const COMMANDS = ["npx suture init", "npm install", "npm test", "npx suture dev"];

/** Writes the page's files as a reader would. @throws {Error} The page has other commands or files than known. */
function writeQuickStart(root: string, folder: string): void {
  const page = readFileSync(join(root, PAGE), "utf8");
  const blocks = [...page.matchAll(/^```(\w+)[^\n]*\n([^]*?)^```$/gm)].map(([, language, code = ""]) => ({
    language,
    code,
  }));
  const commands = blocks
    .filter(({ language }) => language === "sh")
    .flatMap(({ code }) => code.trim().split("\n"));
  if (commands.join("\n") !== COMMANDS.join("\n"))
    throw new Error(`${PAGE} has other commands than the story: ${commands.join("; ")}`);
  const [team = "", test = "", client = "", ...more] = blocks.flatMap(({ language, code }) =>
    language === "ts" ? [code] : [],
  );
  if (more.length > 0) throw new Error(`${PAGE} has more files than the story.`);
  mkdirSync(join(folder, "teams/report"), { recursive: true });
  writeFileSync(join(folder, "teams/report/team.ts"), team);
  writeFileSync(join(folder, "teams/report/team.test.ts"), test);
  writeFileSync(join(folder, "client.ts"), client);
}

/** Runs the page's client beside `suture dev`. @throws {Error} It prints another result than the page says. */
function runClient(node: string, folder: string): void {
  const { gateway_url: address } = z
    .object({ gateway_url: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, ".suture/run.json"), "utf8")));
  const client = join(folder, "client.ts");
  writeFileSync(client, readFileSync(client, "utf8").replace(PAGE_ADDRESS, address));
  const printed = run(node, [client], { cwd: folder });
  if (printed !== "{ count: 2 }\n") throw new Error(`The page's client printed ${printed}`);
}

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openGuardedRedis } from "../support/guarded-redis.ts";
import { processEnv } from "../support/process-env.ts";

const TEAMS = "tests/isolated/teams";
const PREFIX = "iso-up";
const START_MS = 120_000;

function up(env: Readonly<Record<string, string>>, folder: string) {
  const child = spawn(process.execPath, ["services/cli/main.ts", "up"], {
    env: {
      ...processEnv(),
      HOME: folder,
      SUTURE_DATA_DIR: folder,
      SUTURE_GATEWAY_PORT: "0",
      SUTURE_CONSOLE_PORT: "0",
      SUTURE_REHEARSAL_PORT: "0",
      SUTURE_PREFIX: PREFIX,
      SUTURE_TRUST: "isolated",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => (output += String(part)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { child, output: () => output, ended };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "suture-isolated-up-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("starts a team with a process and a user of Redis for each agent, and a relay", async () => {
  const guarded = await openGuardedRedis({ prefix: PREFIX, teams: TEAMS, trust: "isolated" });
  // Whoever connects from now on without a user of his own is refused.
  await guarded.own.redis.call("ACL", "SETUSER", "default", "off");
  const folder = temporaryFolder();
  const env = {
    REDIS_URL: guarded.own.url,
    SUTURE_TEAMS: TEAMS,
    SUTURE_REDIS_USERS: `@${guarded.passwordsFile}`,
  };
  const suture = up(env, folder);
  onTestFinished(async () => {
    suture.child.kill("SIGTERM");
    await suture.ended;
  });
  await expect.poll(suture.output, { timeout: START_MS, interval: 100 }).toContain("logs you in");
  const run = JSON.parse(readFileSync(join(folder, "run.json"), "utf8")) as {
    readonly gateway_url: string;
    readonly children: readonly { readonly name: string }[];
  };
  const names = run.children.map(({ name }) => name);
  expect(names.toSorted()).toEqual([
    "agents-crane",
    "agents-dock",
    "agents-ledge",
    "console",
    "gateway",
    "rehearsal",
    "relay",
    "surgeon",
  ]);
  for (const name of names.filter((one) => one !== "rehearsal"))
    expect(readFileSync(join(folder, "keys", `${name}.json`), "utf8"), name).not.toContain('"HS256"');
  const [, , secret = ""] = readFileSync(join(folder, "keys", "api-keys"), "utf8")
    .trim()
    .split(":");
  const send = async (path: string, request: RequestInit = {}): Promise<Response> =>
    fetch(run.gateway_url + path, {
      ...request,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    });
  const answer = await send("/v1/handoffs", {
    method: "POST",
    body: JSON.stringify({
      target_agent: "dock",
      contract: "yard.load@1",
      data_payload: { id: "x", boxes: 3, way: "plain" },
    }),
  });
  const { run_id: runId } = (await answer.json()) as { run_id: string };
  const status = async (): Promise<unknown> =>
    ((await (await send(`/v1/runs/${runId}`)).json()) as { status: unknown }).status;
  await expect.poll(status, { timeout: 60_000 }).toBe("completed");
  const log = (await guarded.own.redis.call("ACL", "LOG")) as unknown[][];
  expect(log.map((entry) => entry.join(" "))).toEqual([]);
}, 200_000);

it.each([
  {
    what: "a team that opens a board",
    teams: "tests/isolated/board-teams",
    says: /ISOLATION_UNSUPPORTED|Team mill/,
  },
  { what: "a Redis without users", teams: TEAMS, says: /SUTURE_REDIS_USERS/ },
])(
  "refuses to start $what, and names it",
  async ({ teams, says }) => {
    const folder = temporaryFolder();
    const users = teams === TEAMS ? {} : { SUTURE_REDIS_USERS: "@tests/isolated/passwords.json" };
    const suture = up({ SUTURE_TEAMS: teams, REDIS_URL: "redis://127.0.0.1:9", ...users }, folder);
    expect(await suture.ended).not.toBe(0);
    expect(suture.output()).toMatch(says);
  },
  60_000,
);

import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { processEnv } from "../support/process-env.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const TEAMS = "tests/isolated/teams";
const PREFIX = "iso-up";

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

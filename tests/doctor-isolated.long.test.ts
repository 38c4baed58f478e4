import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { Keyring } from "#shared/envelope/keys";
import { openGuardedRedis } from "./support/guarded-redis.ts";
import { processEnv } from "./support/process-env.ts";
import { startOwnRedis } from "./support/redis-servers.ts";
import { runCli } from "./support/run-cli.ts";

/** The doctor beside an isolated cluster at work: it says what holds, and names each thing that is loosened. */

const TEAMS = "tests/isolated/teams";
const PREFIX = "iso-doctor";

const reportSchema = z.object({
  profile: z.literal("isolated"),
  findings: z.array(z.object({ check: z.string(), seen: z.string(), state: z.string(), todo: z.string() })),
});

/** What one Unix user for all services leaves open, and `suture up` has no other. */
const OF_ONE_USER = ["trust profile", "master key", "users of services"];

async function openExamined() {
  const guarded = await openGuardedRedis({ prefix: PREFIX, teams: TEAMS, trust: "isolated" });
  const acl = (...words: string[]): Promise<unknown> => guarded.own.redis.call("ACL", ...words);
  await guarded.own.redis.config("SET", "appendonly", "yes");
  await acl("SETUSER", "overseer", "on", ">watchful", "~*", "&*", "+@all");
  // The connection of the test stays.
  await acl("SETUSER", "default", "off");
  const folder = mkdtempSync(join(tmpdir(), "suture-doctor-isolated-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    SUTURE_DATA_DIR: folder,
    SUTURE_TEAMS: TEAMS,
    SUTURE_PREFIX: PREFIX,
    SUTURE_TRUST: "isolated",
  };
  const suture = spawn(process.execPath, ["services/cli/main.ts", "up"], {
    env: {
      ...processEnv(),
      ...env,
      HOME: folder,
      SUTURE_GATEWAY_PORT: "0",
      SUTURE_CONSOLE_PORT: "0",
      SUTURE_REHEARSAL_PORT: "0",
      REDIS_URL: guarded.own.url,
      SUTURE_REDIS_USERS: `@${guarded.passwordsFile}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [suture.stdout, suture.stderr]) stream?.on("data", (part) => (output += String(part)));
  onTestFinished(async () => {
    suture.kill("SIGTERM");
    await once(suture, "exit");
  });
  await expect.poll(() => output, { timeout: 150_000, interval: 100 }).toContain("logs you in");
  const overseer = guarded.own.url.replace("//", "//overseer:watchful@");
  /** What fails, with what was seen and what is to be done. */
  const failed = async (more: Readonly<Record<string, string>> = {}) => {
    const { code, stdout } = await runCli(["doctor", "--json"], { ...env, REDIS_URL: overseer, ...more });
    const findings = reportSchema
      .parse(JSON.parse(stdout))
      .findings.filter(({ state }) => state === "failed");
    expect(code).toBe(findings.length === 0 ? 0 : 1);
    return findings;
  };
  /** A process that to the system is a service started in this way. */
  const pretend = async (
    service: string,
    args: readonly string[],
    given: Readonly<Record<string, string>>,
  ) => {
    const words = ["--eval", "setInterval(() => undefined, 1000)", `services/${service}/main.ts`, ...args];
    const child = spawn(process.execPath, words, {
      env: { ...processEnv(), ...env, ...given },
      stdio: "ignore",
    });
    await once(child, "spawn");
    return async (): Promise<void> => {
      child.kill("SIGKILL");
      await once(child, "exit");
    };
  };
  return { folder, acl, failed, pretend, urlOf: guarded.urlOf };
}

type Examined = Awaited<ReturnType<typeof openExamined>>;

interface Sabotage {
  readonly what: string;
  /** The check that names it, and what it says. */
  readonly check: string;
  readonly says: RegExp;
  /** @returns what mends it again. */
  readonly loosen: (examined: Examined) => Promise<() => Promise<unknown> | void>;
  /** What the doctor is told beside the rest. */
  readonly told?: (examined: Examined) => Promise<Readonly<Record<string, string>>>;
}

/** Puts another content in the place of a key file. */
function replaceKeys(file: string, text: (own: string) => string): () => void {
  const before = readFileSync(file, "utf8");
  writeFileSync(file, text(before));
  return () => writeFileSync(file, before);
}

const keysOf = (folder: string, name: string): string => join(folder, "keys", `${name}.json`);
const ringIn = (text: string): Keyring => Keyring.fromJson(JSON.parse(text));

const SABOTAGES: readonly Sabotage[] = [
  {
    what: "an agent's login may use more keys than the file says",
    check: "Redis rules",
    says: /agent-dock/,
    loosen: async ({ acl }) => {
      const lines = (await acl("LIST")) as string[];
      const [, , ...words] = lines.find((line) => line.startsWith("user agent-dock "))?.split(" ") ?? [];
      await acl("SETUSER", "agent-dock", `~${PREFIX}:{ward}/*`);
      return () => acl("SETUSER", "agent-dock", "reset", ...words);
    },
  },
  {
    what: "an agent's login may use more commands",
    check: "Redis rules",
    says: /agent-crane/,
    loosen: async ({ acl }) => {
      await acl("SETUSER", "agent-crane", "+flushall");
      return () => acl("SETUSER", "agent-crane", "-flushall");
    },
  },
  {
    what: "whoever names no user is let in",
    check: "Redis password",
    says: /without one/,
    loosen: async ({ acl }) => {
      await acl("SETUSER", "default", "on", "nopass", "~*", "+@all");
      return () => acl("SETUSER", "default", "off");
    },
  },
  {
    what: "Redis has no users at all",
    check: "Redis users",
    says: /absent: agent-crane, .*relay/,
    loosen: async () => () => undefined,
    told: async () => ({ REDIS_URL: (await startOwnRedis(["--appendonly", "yes"])).url }),
  },
  {
    what: "no relay runs",
    check: "relay",
    says: /nothing that agents hand on is delivered/,
    loosen: async ({ folder, pretend, urlOf }) => {
      const elsewhere = { SUTURE_DATA_DIR: join(folder, "elsewhere") };
      const ends = await Promise.all(
        ["dock", "crane"].map((name) =>
          pretend("agents", [name], { ...elsewhere, REDIS_URL: urlOf(`agent-${name}`) }),
        ),
      );
      return () => Promise.all(ends.map((end) => end()));
    },
    told: async ({ folder }) => ({ SUTURE_DATA_DIR: join(folder, "elsewhere") }),
  },
  {
    what: "an agent's process has another's keys",
    check: "signers of a process",
    says: /dock by agents/,
    loosen: async ({ folder }) =>
      replaceKeys(keysOf(folder, "agents-crane"), () => readFileSync(keysOf(folder, "agents-dock"), "utf8")),
  },
  {
    what: "one process signs for two agents",
    check: "signers of a process",
    says: /up to 2 agents/,
    loosen: async ({ folder }) =>
      replaceKeys(keysOf(folder, "agents-crane"), (own) =>
        Keyring.merge([
          ringIn(own),
          ringIn(readFileSync(keysOf(folder, "agents-dock"), "utf8")),
        ]).exportJson(),
      ),
  },
  {
    what: "an agent's process has the master",
    check: "master in services",
    says: /NOTE of agents dock/,
    loosen: ({ folder, pretend, urlOf }) =>
      pretend("agents", ["dock"], {
        NOTE: `@${join(folder, "keys", "master")}`,
        REDIS_URL: urlOf("agent-dock"),
      }),
  },
  {
    what: "an agent's process has another's login",
    check: "Redis logins",
    says: /agents dock as relay/,
    loosen: ({ pretend, urlOf }) => pretend("agents", ["dock"], { REDIS_URL: urlOf("relay") }),
  },
  {
    what: "an agent's process is told the other profile",
    check: "profile of services",
    says: /agents dock/,
    loosen: ({ pretend, urlOf }) =>
      pretend("agents", ["dock"], { SUTURE_TRUST: "shared", REDIS_URL: urlOf("agent-dock") }),
  },
  {
    what: "the surgeon's keys are readable to all",
    check: "secrets of services",
    says: /SUTURE_KEYS of surgeon/,
    loosen: async ({ folder }) => {
      chmodSync(keysOf(folder, "surgeon"), 0o644);
      return () => chmodSync(keysOf(folder, "surgeon"), 0o600);
    },
  },
  {
    what: "services sign with keys of a generation that has been replaced",
    check: "key generations",
    says: /the issuer says 2/,
    loosen: async ({ folder }) => {
      const file = join(folder, "keys", "generations.json");
      writeFileSync(file, JSON.stringify({ signing: 2, verifying: [1, 2] }), { mode: 0o600 });
      return () => rmSync(file);
    },
  },
];

it.skipIf(process.platform !== "linux")(
  "says what holds of an isolated cluster, and names each thing that is loosened, with what to do",
  async () => {
    const examined = await openExamined();
    const before = await examined.failed();
    expect(before.map(({ check, seen }) => `${check}: ${seen}`)).toHaveLength(OF_ONE_USER.length);
    expect(before.map(({ check }) => check)).toEqual(OF_ONE_USER);
    for (const { what, check, says, loosen, told } of SABOTAGES) {
      const mend = await loosen(examined);
      const found = (await examined.failed(await told?.(examined))).filter((one) => one.check === check);
      await mend();
      expect(found, what).toHaveLength(1);
      expect(found[0]?.seen, what).toMatch(says);
      expect(found[0]?.todo, what).not.toBe("");
    }
  },
  300_000,
);

import { failed, ok, open, unlessFound } from "#shared/doctor";
import type { Finding } from "#shared/doctor";
import { issueVerifyingKeyring } from "#shared/envelope/keys";
import type { Keyring } from "#shared/envelope/keys";
import { openBytes } from "#shared/envelope/seals";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { DATA_FORMAT, isRedisReply, Store, storeSettings, waitUntilReady } from "#shared/store";
import { findCases } from "#shared/ward";
import { examineRedis, findSubject, printFindings } from "../doctor/run-doctor.ts";
import { keyFile, readGenerations, readSecret } from "../launcher/key-files.ts";

const READY_MS = 5000;
/** Messages that are looked at of each queue. */
const SAMPLE = 200;
const CASES_MAX = 200;

/** Checks whether processes of this release may start beside what runs. @returns 1 if something stands against it. */
export async function runUpgradeCheck(options: {
  readonly dataDir?: string;
  readonly json?: boolean;
}): Promise<number> {
  const subject = findSubject(options.dataDir);
  const { config } = subject;
  if (config.redisUrl === null)
    return printFindings(
      [failed("Redis", "no address is known", "Set REDIS_URL, or start the services")],
      options,
    );
  const teams = await loadTeams(config.teamsDir);
  const onError = (): void => undefined;
  const store = new Store({ ...storeSettings(config, config.redisUrl), role: "producer", onError });
  try {
    await waitUntilReady(store.redis, READY_MS);
    const rights = (await examineRedis(subject)).filter(({ check }) => check.startsWith("Redis rights"));
    const findings = [
      await checkFormat(store),
      await unlessDenied("live agents", checkAgents(store, teams)),
      ...(rights.length > 0 ? rights : [UNLISTED]),
      await unlessDenied(
        "waiting messages",
        checkMessages(store, { teams, keyring: keyringOf(config.dataDir, teams) }),
      ),
      await unlessDenied("unverified cases", checkCases(store)),
    ];
    return printFindings(findings, options);
  } finally {
    await store.close();
  }
}

const UNLISTED = open(
  "Redis rights",
  "no users with roles, or this user may not list them",
  "With users: suture redis-acl and ACL LOAD before this release starts",
);

/** A user of Redis may read what its role needs; the console's reads all of it. */
function unlessDenied(check: string, finding: Promise<Finding>): Promise<Finding> {
  return finding.catch((error: unknown) => {
    if (!isRedisReply(error)) throw error;
    return open(check, "this user of Redis may not look", "Use the console's login in REDIS_URL");
  });
}

async function checkFormat({ redis, keys }: Store): Promise<Finding> {
  const found = await redis.get(keys.dataFormat());
  const seen = `this release reads format ${DATA_FORMAT}; Redis holds ${found ?? "none"}`;
  if (found === null || found === String(DATA_FORMAT)) return ok("data format", seen);
  return failed("data format", seen, "suture drain, then another SUTURE_PREFIX: docs/operating/upgrades.md");
}

/** Compares live agents with those of this release. A newer one beside it is no fault: its messages wait for it. */
async function checkAgents({ registry }: Store, teams: readonly Team[]): Promise<Finding> {
  const live = await registry.live();
  const ids = new Set<string>(teams.flatMap((team) => [...team.agents.values()].map(({ id }) => id)));
  const others = [...new Set(live.map(({ agent, version }) => `${agent}@${version}`))].filter(
    (id) => !ids.has(id),
  );
  const check = "live agents";
  const count = new Set(live.map(({ pid }) => pid)).size;
  if (others.length === 0) return ok(check, `${count} processes, with agents and versions of this release`);
  const todo = "What only they understand waits for them: let them work until it is done";
  return open(check, `not of this release: ${others.toSorted().join(", ")}`, todo);
}

/** Returns the keys that verify every edge; null where the master is not in this data folder. */
function keyringOf(dataDir: string, teams: readonly Team[]): Keyring | null {
  const master = readSecret(keyFile.master(dataDir))?.trim();
  if (master === undefined) return null;
  return issueVerifyingKeyring({ master, generations: readGenerations(dataDir), edges: edgesOf(teams) });
}

/** Verifies messages that wait, as this release would. */
async function checkMessages(
  store: Store,
  { teams, keyring }: { readonly teams: readonly Team[]; readonly keyring: Keyring | null },
): Promise<Finding> {
  const check = "waiting messages";
  if (keyring === null)
    return open(check, "not looked at: no master key here", "Run this where suture keys are issued");
  const agents = teams.flatMap((team) => [...team.agents.keys()]);
  const found = await Promise.all(
    store.awake.flatMap(({ queues }) => agents.map((agent) => countUnverified(queues, agent, keyring))),
  );
  const looked = found.reduce((sum, one) => sum + one.looked, 0);
  const unverified = found.filter(({ count }) => count > 0).map(({ agent, count }) => `${count} of ${agent}`);
  const todo = "They would be quarantined unread: let the release that wrote them finish them (suture drain)";
  return unlessFound(check, unverified, `${looked} looked at, all verify`, "do not verify: ", todo);
}

async function countUnverified(queues: Store["queues"], agent: string, keyring: Keyring) {
  const lanes = await Promise.all(
    (["fresh", "retry"] as const).map((lane) =>
      queues.of(agent, lane).getJobs(["wait", "prioritized", "delayed"], 0, SAMPLE - 1),
    ),
  );
  const jobs = lanes.flat();
  const count = jobs.filter(({ id = "", data }) => {
    try {
      // A retry has the message's id with the number of its delivery.
      openBytes({ message: data, queue: agent, jobId: id.replace(/\.\d+$/, ""), keyring });
      return false;
    } catch {
      return true;
    }
  }).length;
  return { agent, count, looked: jobs.length };
}

/** Messages that no release here could verify: nobody sends them on. */
async function checkCases(store: Store): Promise<Finding> {
  const filter = { status: "quarantined", failure_class: "untrusted" } as const;
  const { cases } = await findCases(store, { filter, cursor: null, limit: CASES_MAX });
  const check = "unverified cases";
  if (cases.length === 0) return ok(check, "none waits");
  const todo =
    "No release sends them on: discard them, and have their tasks sent again with a new Idempotency-Key";
  return open(check, `${cases.length} wait in quarantine`, todo);
}

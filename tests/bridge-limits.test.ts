import { expect, it } from "vitest";
import { untilTrue } from "./support/redis-servers.ts";
import { checkAllDone, openBridgedDeployment } from "./support/bridged-deployment.ts";

/** What ends a message on its way, and what only holds it up. */

const TEST_MS = 120_000;

/** Long enough to be taken on a busy machine, and waited for. */
const LIFE_MS = 10_000;

it(
  "lets a message that never left expire at home, in the ordinary way, while the link is down",
  async () => {
    const { home, far, submit } = await openBridgedDeployment();
    far.link.misbehave("refuse");
    await home.startBridge();
    const run = await home.system.until(await submit("t-1", { ttlMs: 600 }));
    expect(run).toMatchObject({ status: "expired", error: { code: "ENVELOPE_EXPIRED" } });
    expect(await far.system.store.runs.counts()).toMatchObject({ submitted: 0 });
  },
  TEST_MS,
);

it(
  "ends no message that may be at work over there: what was taken before its expiry completes after it",
  async () => {
    const deployment = await openBridgedDeployment();
    const { home, far, submit, doings } = deployment;
    const { promise, resolve } = Promise.withResolvers<void>();
    await Promise.all([home.startBridge(), far.startBridge()]);
    await home.system.until(await submit("before"));
    doings.pause = () => promise;
    // Requests arrive, and no reply comes back.
    far.link.misbehave("swallow_replies");
    home.link.misbehave("refuse");
    const runId = await submit("t-1", { ttlMs: LIFE_MS });
    await untilTrue(async () => (await far.system.store.runs.counts()).running === 1);
    const [first] = await home.system.store.runs.events(runId, { from: 0, limit: 1 });
    const expiresMs = Date.parse(first?.at ?? "") + LIFE_MS;
    await untilTrue(() => Promise.resolve(Date.now() > expiresMs + 1500));
    expect((await home.system.store.runs.get(runId)).status).toBe("running");
    expect(await home.lost()).toEqual([]);
    // The archive is another message, whose time is over: that cluster's guard says so, and home hears of it.
    resolve();
    far.link.mend();
    home.link.mend();
    const run = await home.system.until(runId);
    expect(run.status).toBe("expired");
    expect(doings.effects).toEqual(["before", "t-1"]);
    const events = await home.system.store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.filter(({ type }) => type === "ended").map(({ agent }) => agent)).toEqual([
      "abroad-archive",
    ]);
  },
  TEST_MS,
);

it(
  "tells the other cluster that a run is cancelled, with the next news of it",
  async () => {
    const { home, far, submit, doings } = await openBridgedDeployment();
    const [paid, archived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    doings.pause = (what) => (what.startsWith("archive") ? archived : paid).promise;
    await Promise.all([home.startBridge(), far.startBridge()]);
    const runId = await submit("t-1");
    const { store } = home.system;
    await untilTrue(async () =>
      (await store.runs.messages(runId)).some(
        ({ state, agent }) => state === "away" && agent !== "abroad-archive",
      ),
    );
    expect(await home.lost()).toEqual([]);
    const agents = [...home.system.team.agents.keys()];
    await store.runs.cancel({ runId, agents, by: "test", markLifeMs: 60_000 });
    paid.resolve();
    const mark = far.system.store.keys.cancelled("abroad-archive", runId);
    await untilTrue(async () => (await far.redis.redis.exists(mark)) === 1);
    archived.resolve();
    expect((await home.system.until(runId)).status).toBe("cancelled");
    await untilTrue(async () => (await far.system.store.runs.get(runId)).status === "cancelled");
  },
  TEST_MS,
);

it(
  "shows at home that a person has to decide over there, whichever ward it is in",
  async () => {
    const { home, far, submit } = await openBridgedDeployment();
    await Promise.all([home.startBridge(), far.startBridge()]);
    const run = await home.system.until(await submit("rejected-1"), ["in_ward", "quarantined"]);
    expect(run.messages).toMatchObject({ open: 0, in_ward: 1 });
    expect(await home.lost()).toEqual([]);
    expect(await far.lost()).toEqual([]);
  },
  TEST_MS,
);

it(
  "holds messages back while the other cluster is full, and carries them when it is not",
  async () => {
    const deployment = await openBridgedDeployment();
    const { home, far, submit } = deployment;
    let isFull = true;
    let asked = 0;
    const storeIsFull = (): Promise<boolean> => {
      asked += 1;
      return Promise.resolve(isFull);
    };
    await Promise.all([home.startBridge(), far.startBridge({ storeIsFull })]);
    const runs = [{ task: "t-1", runId: await submit("t-1") }];
    // Refused, and tried again.
    await untilTrue(() => Promise.resolve(asked > 2));
    expect(await far.system.store.runs.counts()).toMatchObject({ submitted: 0 });
    isFull = false;
    await checkAllDone(deployment, runs);
  },
  TEST_MS,
);

it.each([
  [
    "that is stored as gzip",
    {
      pad: Array.from({ length: 9000 }, (_, n) => `line ${n}`)
        .join("\n")
        .slice(0, 60_000),
    },
    {},
  ],
  ["of low priority, which only an outbox can add", { pad: "" }, { task: { priority: "low" as const } }],
  ["of high priority", { pad: "" }, { task: { priority: "high" as const } }],
  ["that never expires", { pad: "\u0000 😀" }, { ttlMs: null }],
])(
  "carries a message %s",
  async (_name, { pad }, draft) => {
    const deployment = await openBridgedDeployment();
    const { home, far } = deployment;
    await Promise.all([home.startBridge(), far.startBridge()]);
    const conversation = { history: [1, 2, 3].map(() => ({ role: "user" as const, content: pad })) };
    const { runId } = await home.system.submit(
      { task: "t-1", pad },
      { ttlMs: 60_000, conversation, ...draft },
    );
    await checkAllDone(deployment, [{ task: "t-1", runId }]);
  },
  TEST_MS,
);

it(
  "asks a person where the other cluster can no longer know whether it took a message",
  async () => {
    const { home, far, submit } = await openBridgedDeployment({ config: { memoryHours: 1 } });
    await far.startBridge();
    const { store } = home.system;
    const runId = await submit("t-1", { ttlMs: null });
    await untilTrue(async () => (await store.runs.messages(runId)).length === 2);
    const messages = await store.runs.messages(runId);
    const message = messages.find(({ agent }) => agent === "abroad-appraise");
    // As if it had been sent two hours ago, by a bridge that heard no answer.
    const ledger = store.keys.ledger("abroad-appraise", message?.message_id ?? "");
    const data = await store.redis.hget(
      store.keys.job("abroad-appraise", "abroad-appraise", message?.message_id ?? ""),
      "data",
    );
    const { digestOf } = await import("#shared/envelope/seals");
    const sealed: { sealed: string } = JSON.parse(data ?? "{}");
    await store.redis.hset(
      ledger,
      "s:step/first_sent",
      String(Date.now() - 7_300_000),
      "digest",
      digestOf(sealed.sealed),
    );
    await home.startBridge();
    const run = await home.system.until(runId, ["quarantined"]);
    expect(run.messages.quarantined).toBe(1);
    const events = await store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.at(-1)?.detail).toMatchObject({ code: "BRIDGE_CROSSING_UNCERTAIN" });
    expect(await far.system.store.runs.counts()).toMatchObject({ submitted: 0 });
  },
  TEST_MS,
);

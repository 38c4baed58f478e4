import { expect, it } from "vitest";
import survey from "./crash-points/fan-out-teams/survey/team.ts";
import { checkAllDone, openBridgedDeployment } from "./support/bridged-deployment.ts";
import { openTwoClusters } from "./support/two-clusters.ts";
import { untilTrue } from "./support/redis-servers.ts";

const TEST_MS = 120_000;

it(
  "brings the branches of a fan-out together at home, those that never answer too",
  async () => {
    const { home, far } = await openTwoClusters(survey, { remote: ["survey-ask"] });
    await home.system.start({ only: ["survey-plan", "survey-merge", "survey-report"] });
    await far.system.start({ only: ["survey-ask"], keyring: far.keyring });
    await Promise.all([home.startBridge(), far.startBridge()]);
    const { runId } = await home.system.submit({ people: 12, lame: 2 }, { ttlMs: 60_000 });
    const run = await home.system.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { answered: 10, missing: [0, 1] } });
    await untilTrue(async () => (await far.system.store.runs.get(runId)).status === "completed");
    expect(await far.system.store.runs.counts()).toMatchObject({ submitted: 1, completed: 1 });
    expect([await home.lost(), await far.lost()]).toEqual([[], []]);
  },
  TEST_MS,
);

it(
  "carries each message once where several bridges work for each cluster",
  async () => {
    const deployment = await openBridgedDeployment();
    const { home, far, submit } = deployment;
    const more = (cluster: typeof home) => cluster.startBridge({ config: { ...cluster.config, port: 0 } });
    await Promise.all([home.startBridge(), more(home), far.startBridge(), more(far)]);
    const tasks = Array.from({ length: 30 }, (_, n) => `t-${n}`);
    const runs = await Promise.all(tasks.map(async (task) => ({ task, runId: await submit(task) })));
    await checkAllDone(deployment, runs);
  },
  TEST_MS,
);

it(
  "says over HTTP/1 whether it lives and is ready, and what it has under way",
  async () => {
    const { home, far, submit } = await openBridgedDeployment();
    const bridge = await home.startBridge();
    await far.startBridge();
    await home.system.until(await submit("t-1"));
    const get = async (path: string) => {
      const reply = await fetch(`${bridge.statusUrl}${path}`);
      return { status: reply.status, text: await reply.text() };
    };
    expect(await get("/healthz")).toMatchObject({ status: 200 });
    expect(await get("/readyz")).toEqual({ status: 200, text: '{"status":"ready"}' });
    expect(await get("/else")).toMatchObject({ status: 404 });
    const { text } = await get("/metrics");
    expect(text).toContain('suture_bridge_link_up{cluster="far"} 1');
    expect(text).toContain('suture_bridge_messages{agent="abroad-appraise",state="waiting"} 0');
    expect(text).toContain('suture_bridge_news{cluster="far"} 0');
    await home.redis.kill();
    expect(await get("/healthz")).toMatchObject({ status: 200 });
    expect(await get("/readyz")).toEqual({ status: 503, text: '{"status":"store_unreachable"}' });
    await home.redis.revive();
  },
  TEST_MS,
);

it("gives the far side keys of the edges that cross, and none of the home's own", async () => {
  const { home, far } = await openTwoClusters(survey, { remote: ["survey-ask"] });
  expect(() => home.keyring.signing("survey-merge", "survey-report")).not.toThrow();
  expect(far.keyring.find("survey-plan>survey-ask#1")).toBeDefined();
  expect(far.keyring.find("survey-merge>survey-report#1")).toBeUndefined();
  expect(far.keyring.find("gateway>survey-plan#1")).toBeUndefined();
});

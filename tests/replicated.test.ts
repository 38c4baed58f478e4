import { expect, it, onTestFinished } from "vitest";
import { Store } from "#shared/store";
import type { StoreOptions } from "#shared/store";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { TcpProxy } from "./chaos/tcp-proxy.ts";
import { startOwnRedis, startReplica, untilTrue } from "./support/redis-servers.ts";

const REPLICATION = { replicasMin: 1, waitMs: 300 };

/** A master and a replica whose link can be cut. */
async function openPair() {
  const master = await startOwnRedis();
  const link = await TcpProxy.open(master.port);
  onTestFinished(() => link.close());
  const replica = await startReplica(link.port);
  return { master, link, replica };
}

async function openGateway(
  master: { readonly url: string },
  replication: StoreOptions["replication"] = REPLICATION,
) {
  const gateway = await startTestGateway({
    store: { url: master.url, replication },
  });
  const submit = (key: string): Promise<Response> =>
    gateway.post("/v1/tasks", { team: "gw-chain", input: { text: key } }, { "idempotency-key": key });
  await untilTrue(() => gateway.store.confirmation.hasReplicas());
  return { ...gateway, submit };
}

/** Fifty at once, of which the link is cut in the middle; then the master dies and the replica takes its place. */
async function failOver(replication: StoreOptions["replication"]) {
  const { master, link, replica } = await openPair();
  const gateway = await openGateway(master, replication);
  const before = await Promise.all(Array.from({ length: 20 }, (_, i) => gateway.submit(`before-${i}`)));
  const around = Array.from({ length: 30 }, (_, i) => gateway.submit(`around-${i}`));
  await around[0];
  link.misbehave("swallow_replies");
  const after = await Promise.all([
    ...around,
    ...Array.from({ length: 10 }, (_, i) => gateway.submit(`after-${i}`)),
  ]);
  await master.kill();
  await replica.redis.replicaof("NO", "ONE");
  const promoted = new Store({
    ...gateway.store.options,
    url: replica.url,
    replication: null,
    role: "worker",
  });
  onTestFinished(() => promoted.close());
  const answers = [...before, ...after];
  const accepted = answers.filter((answer) => answer.status === 202);
  const ids = await Promise.all(
    accepted.map(async (answer) => ((await answer.json()) as { run_id: string }).run_id),
  );
  const found = await Promise.all(ids.map((id) => promoted.runs.find(id)));
  const lost = found.filter((run) => run === null).length;
  return { accepted: accepted.length, asked: answers.length, lost };
}

it("keeps every task that was answered 202 through the death of the master and the promotion of a replica", async () => {
  const { accepted, asked, lost } = await failOver(REPLICATION);
  expect(accepted).toBeGreaterThanOrEqual(20);
  // The fault bit: some could not be confirmed.
  expect(accepted).toBeLessThanOrEqual(asked - 10);
  expect(lost).toBe(0);
}, 120_000);

it("tells nobody of an end that replicas do not have, and tells it once they do", async () => {
  const { master, link } = await openPair();
  const gateway = await openGateway(master);
  // A busy machine may take longer than one confirmation waits.
  const submit = () => gateway.system.submit({ text: "three words here" });
  const { runId } = await submit().catch(submit).catch(submit);
  link.misbehave("swallow_replies");
  await gateway.system.start();
  // Inside, work goes on: a failover would take an outcome and what follows from it back together.
  expect(await gateway.system.until(runId)).toMatchObject({ status: "completed" });
  const answer = await gateway.send(`/v1/runs/${runId}`);
  expect([answer.status, await answer.json()]).toMatchObject([503, { title: "Unavailable" }]);
  link.mend();
  await expect
    .poll(async () => (await gateway.send(`/v1/runs/${runId}`)).status, { timeout: 60_000 })
    .toBe(200);
}, 120_000);

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
    bounds: { relayEveryMs: 100_000 },
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

it("would lose some of them without it: the same failover, not waited for", async () => {
  const { accepted, asked, lost } = await failOver(null);
  expect(accepted).toBe(asked);
  expect(lost).toBeGreaterThanOrEqual(10);
}, 120_000);

it("answers an unconfirmed task with unknown, is not ready, and accepts it once when it is repeated", async () => {
  const { master, link } = await openPair();
  const gateway = await openGateway(master);
  expect((await gateway.send("/readyz")).status).toBe(200);
  link.misbehave("swallow_replies");
  const answer = await gateway.submit("mail-1");
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(await answer.json()).toMatchObject({ code: "acceptance_unconfirmed" });
  // A repeat is no more certain than the first try.
  expect((await gateway.submit("mail-1")).status).toBe(503);
  link.misbehave("refuse");
  await untilTrue(async () => (await gateway.send("/readyz")).status === 503);
  expect(await (await gateway.send("/readyz")).json()).toMatchObject({ status: "replicas_missing" });
  link.mend();
  await untilTrue(async () => (await gateway.submit("mail-1")).status === 202);
  expect((await gateway.store.runs.counts()).submitted).toBe(1);
  expect((await gateway.send("/readyz")).status).toBe(200);
}, 120_000);

it("tells nobody of an outcome that is not confirmed, and tells it once it is", async () => {
  const { master, link } = await openPair();
  const gateway = await openGateway(master);
  const { store } = gateway.system;
  await untilTrue(() => store.confirmation.hasReplicas());
  // A busy machine may take longer than one confirmation waits.
  const submit = () => gateway.system.submit({ text: "three words here" });
  const { runId, envelope } = await submit().catch(submit).catch(submit);
  link.misbehave("swallow_replies");
  await gateway.system.start();
  const book = store.keys.ledger("gw-first", envelope.meta.message_id);
  await untilTrue(async () => (await store.redis.hexists(book, "outcome")) === 1);
  // Longer than a worker that tells at once could take: a confirmation has failed meanwhile.
  await untilTrue(
    async () => (await store.settlement.relay("gw-first", 0).catch(() => "refused")) === "refused",
  );
  const told = await store.runs.events(runId, { from: 0, limit: 10 });
  expect(told.map((event) => event.type)).not.toContain("handed_off");
  expect(await store.queues.of("gw-last", "fresh").count()).toBe(0);
  link.mend();
  expect((await gateway.system.until(runId)).status).toBe("completed");
}, 120_000);

it("forgets nothing that it delivered before replicas have that", async () => {
  const { master, link } = await openPair();
  const gateway = await openGateway(master);
  const { store } = gateway.system;
  await untilTrue(() => store.confirmation.hasReplicas());
  const send = {
    lane: "fresh",
    agent: "gw-last",
    jobId: "j-1",
    data: {},
    delayMs: 0,
    priority: "normal",
  } as const;
  const entry = { id: "e-1", at_ms: 0, changes: [], sends: [send], admissions: [] };
  await store.redis.hset(store.keys.outbox("gw-first"), entry.id, JSON.stringify(entry));
  link.misbehave("swallow_replies");
  await store.outbox.deliver(entry);
  await expect(store.outbox.forgetConfirmed("gw-first", entry)).rejects.toMatchObject({
    code: "NOT_REPLICATED",
  });
  expect(await store.outbox.pending("gw-first")).toBe(1);
  link.mend();
  await untilTrue(async () => {
    await store.outbox.forgetConfirmed("gw-first", entry).catch(() => undefined);
    return (await store.outbox.pending("gw-first")) === 0;
  });
}, 120_000);

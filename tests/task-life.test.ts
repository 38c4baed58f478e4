import { describe, expect, it } from "vitest";
import { team } from "#shared/runtime";
import type { TeamOptions } from "#shared/runtime";
import { answerOf, startedForm } from "../services/gateway/testing/answer.ts";
import { chainTeam } from "../services/gateway/testing/chain-team.ts";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface Asked {
  readonly store?: {
    readonly taskLifeMs?: number;
    readonly ledgerLifeMs?: number;
    readonly retentionMs?: number;
  };
  readonly options?: TeamOptions;
  readonly body?: object;
}

/** Submits one task and gives what was sealed, and where it lies. */
async function submitted({ store = {}, options = {}, body = {} }: Asked) {
  const own = team(chainTeam.name, [...chainTeam.agents.values()], { ...chainTeam.options, ...options });
  const gateway = await startTestGateway({ store, team: own });
  const reply = await gateway.post(
    "/v1/tasks",
    { team: own.name, input: { text: "hello" }, ...body },
    { "idempotency-key": "one" },
  );
  const { run_id: runId, message_id: messageId } = await answerOf(reply, startedForm);
  const job = await gateway.store.queues.of(own.entry.name, "fresh").getJob(messageId);
  const { meta } = JSON.parse(String(job?.data["sealed"])) as {
    meta: { timestamp: string; expires_at: string | null };
  };
  const lifeMs = meta.expires_at === null ? null : Date.parse(meta.expires_at) - Date.parse(meta.timestamp);
  return { gateway, runId, messageId, entry: own.entry.name, lifeMs };
}

describe("what is kept so that a task is done once", () => {
  it("is kept as long as the task may live: its outcome, its idempotency key, and the mark of its cancelling", async () => {
    const store = { ledgerLifeMs: 60_000, retentionMs: 60_000 };
    const { gateway, runId, messageId, entry } = await submitted({ store, body: { ttl_ms: 3 * DAY_MS } });
    const { redis, keys } = gateway.store;
    await gateway.system.start();
    await gateway.system.until(runId);
    expect(await redis.pttl(keys.ledger(entry, messageId))).toBeGreaterThan(3 * DAY_MS - HOUR_MS);
    const [found = ""] = await redis.keys(keys.runs("idempotency:*"));
    expect(await redis.pttl(found)).toBeGreaterThan(3 * DAY_MS - HOUR_MS);
  });

  it("is kept no longer than the ledger's own life where that is longer", async () => {
    const { gateway, runId, messageId, entry } = await submitted({ body: { ttl_ms: 60_000 } });
    await gateway.system.start();
    await gateway.system.until(runId);
    const { redis, keys, options } = gateway.store;
    const leftMs = await redis.pttl(keys.ledger(entry, messageId));
    expect(leftMs).toBeGreaterThan(options.ledgerLifeMs - 60_000);
    expect(leftMs).toBeLessThanOrEqual(options.ledgerLifeMs);
  });
});

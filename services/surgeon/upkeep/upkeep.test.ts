import { producerKey } from "#shared/store/feedback";
import { createServer } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { Secret } from "#shared/config";
import { WARD_THRESHOLDS_DEFAULT, WEBHOOK_DATA } from "#shared/feedback";
import { findCases } from "#shared/ward";
import { applyToGroup, findBatch, startBatch } from "#shared/ward/batches";
import type { Batch } from "#shared/ward/batches";
import { openSurgeonTestSystem } from "../testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "../testing/surgeon-test-system.ts";
import { listenLocally } from "#shared/testing";

const WORDS = "Please refund 3 seats.";

/** Messages that nothing but a model can heal, and a model that heals none: all of one group, all in quarantine. */
async function fillGroup(
  system: SurgeonTestSystem,
  count: number,
): Promise<{ runIds: string[]; fingerprint: string }> {
  await system.start();
  system.startSurgeon();
  const runs = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      system.submit({ order_id: `A-${1000 + i}` }, { user: { original_query: WORDS } }),
    ),
  );
  await Promise.all(runs.map(({ runId }) => system.until(runId, ["quarantined"])));
  const { cases } = await findCases(system.store, { filter: {}, limit: 100 });
  expect(new Set(cases.map((one) => one.fingerprint)).size).toBe(1);
  return { runIds: runs.map(({ runId }) => runId), fingerprint: cases[0]?.fingerprint ?? "" };
}

async function untilBatch(
  system: SurgeonTestSystem,
  batchId: string,
  when: (batch: Batch) => boolean,
): Promise<Batch> {
  return vi.waitFor(
    async () => {
      const batch = await findBatch(system.store, batchId);
      if (batch === null || !when(batch)) throw new Error(JSON.stringify(batch));
      return batch;
    },
    { timeout: 60_000, interval: 20 },
  );
}

describe("work on a whole group", () => {
  it("counts first, tries a few, waits for a look, does the rest, and says what became of each", async () => {
    const system = await openSurgeonTestSystem();
    const { runIds, fingerprint } = await fillGroup(system, 8);
    system.endpoint.answer = (input) => {
      const order = /A-\d{4}/.exec(String(input["message"]))?.[0];
      return {
        verdict: "repaired",
        payload: JSON.stringify({ order_id: order, seats: 3 }),
        reason: "",
        recipe: null,
      };
    };
    const planned = await applyToGroup(system.store, {
      fingerprint,
      decision: "operate",
      by: "ada",
      why: "the model was down",
      canary: 2,
      rate_per_second: 100,
    });
    expect(planned).toMatchObject({ state: "dry_run", total: 8 });
    await expect(startBatch(system.store, planned.batch_id)).rejects.toMatchObject({
      code: "WARD_BATCH_STATE",
    });
    const counted = await untilBatch(system, planned.batch_id, (batch) => batch.state === "planned");
    expect(counted).toMatchObject({ checked: 8, would_pass: 0, decided: 0 });
    await startBatch(system.store, planned.batch_id);
    const looked = await untilBatch(
      system,
      planned.batch_id,
      (batch) => batch.state === "look" && batch.went_on === 2,
    );
    expect(looked.decided).toBe(2);
    await startBatch(system.store, planned.batch_id);
    const done = await untilBatch(
      system,
      planned.batch_id,
      (batch) => batch.state === "done" && batch.went_on === 8,
    );
    expect(done).toMatchObject({ decided: 8, refused: 0, died_again: 0 });
    const ended = await Promise.all(runIds.map((runId) => system.until(runId)));
    expect(ended.every((run) => run.status === "completed")).toBe(true);
    expect(system.handled.length).toBe(8);
  });
});

it("tells people of a new kind of failure, and of a producer that fails, without a word of the message", async () => {
  const bodies: string[] = [];
  let arrived: () => void = () => undefined;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      bodies.push(text);
      response.writeHead(204).end();
      arrived();
    });
  });
  const port = await listenLocally(server);
  const next = (count: number): Promise<void> =>
    new Promise((resolve) => {
      arrived = () => void (bodies.length >= count && resolve());
      arrived();
    });
  const system = await openSurgeonTestSystem();
  await system.start();
  const producer = { agent: "maker@1", contract: "part@1", model: "m-1", prompt_version: "3" };
  await system.store.rates.countOutputs({
    good: new Map([[producerKey(producer), 10]]),
    bad: new Map([[producerKey(producer), 30]]),
  });
  system.startSurgeon({
    noticesEveryMs: 20,
    notices: {
      receivers: [
        {
          url: new Secret(`http://127.0.0.1:${port}/hook`),
          secrets: [new Secret(`whsec_${Buffer.alloc(32, 1).toString("base64")}`)],
          events: null,
          redact: true,
          format: "standard",
        },
      ],
      thresholds: WARD_THRESHOLDS_DEFAULT,
    },
  });
  const { runId } = await system.submit({ order_id: "confidential", seats: "confidential" });
  await system.untilCase(runId, ({ status }) => status === "quarantined");
  await next(2);
  expect(bodies.toSorted().map((body): unknown => JSON.parse(body))).toEqual([
    {
      type: "fingerprint.new",
      timestamp: expect.stringMatching(/Z$/),
      data: expect.objectContaining({ producer: "gateway@1|desk.refund@1|-|-", messages: 1 }),
    },
    {
      type: "producer.failing",
      timestamp: expect.stringMatching(/Z$/),
      data: { ...producer, outputs: 40, malformed: 30 },
    },
  ]);
  for (const body of bodies) {
    const { type, data }: { type: "fingerprint.new" | "producer.failing"; data: unknown } = JSON.parse(body);
    expect(WEBHOOK_DATA[type].parse(data)).toEqual(data);
  }
  expect(bodies.join()).not.toContain("confidential");
  expect(await system.store.rates.producers("hour")).toContainEqual(
    expect.objectContaining({ agent: "gateway@1", contract: "desk.refund@1", model: null, malformed: 1 }),
  );
});

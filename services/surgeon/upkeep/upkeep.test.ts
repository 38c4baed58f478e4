import { producerKey } from "#shared/store/feedback";
import { expect, it } from "vitest";
import { Secret } from "#shared/config";
import { startReceiver, WEBHOOK_DATA } from "#shared/testing";
import { openSurgeonTestSystem } from "../testing/surgeon-test-system.ts";

it("tells people of a new kind of failure, and of a producer that fails, without a word of the message", async () => {
  const { url, posts } = await startReceiver((text): unknown => JSON.parse(text));
  const system = await openSurgeonTestSystem({
    limits: {
      webhooks: [
        {
          url: new Secret(url),
          secrets: [new Secret(`whsec_${Buffer.alloc(32, 1).toString("base64")}`)],
          events: null,
          redact: true,
          format: "standard",
        },
      ],
    },
  });
  await system.start();
  const producer = { agent: "maker@1", contract: "part@1", model: "m-1", prompt_version: "3" };
  await system.store.rates.countOutputs({
    good: new Map([[producerKey(producer), 10]]),
    bad: new Map([[producerKey(producer), 30]]),
  });
  system.startSurgeon({ noticesEveryMs: 20 });
  const { runId } = await system.submit({ order_id: "confidential", seats: "confidential" });
  await system.untilCase(runId, ({ status }) => status === "quarantined");
  await expect.poll(() => posts.length).toBeGreaterThanOrEqual(2);
  const bodies = posts.map(({ text }) => text);
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

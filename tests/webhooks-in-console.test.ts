import { createServer } from "node:http";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { Secret } from "#shared/config";
import { Notifier } from "#shared/feedback";
import { every } from "#shared/runtime/process";
import { startReceiver } from "#shared/testing";
import type { Store } from "#shared/store";
import { startTestConsole } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";

const KEY = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

interface Listed {
  readonly dropped: number;
  readonly receivers: readonly {
    readonly receiver: string;
    readonly host: string;
    readonly waiting: number;
  }[];
}

/** A surgeon's notifier that goes round until the test has finished. Two of them, as two surgeons have. */
function deliver(store: Store, urls: readonly string[]): void {
  const receivers = urls.map((url) => ({
    url: new Secret(url),
    secrets: [new Secret(KEY)],
    redact: true,
    events: ["producer.failing" as const],
    format: "standard" as const,
  }));
  const thresholds = { groupMessagesPerHour: 3, quarantineCasesMax: 2 };
  for (let surgeons = 0; surgeons < 2; surgeons += 1) {
    const logger = pino({ level: "silent" });
    const notifier = new Notifier({ store, receivers, thresholds, logger, timeoutMs: 2000 });
    const rest = every(50, () => notifier.tell().then(() => notifier.round()), logger);
    onTestFinished(async () => {
      rest();
      await notifier.stop(0);
    });
  }
}

const list = async (console: TestConsole): Promise<Listed> =>
  (await (await console.send("/v1/webhooks", { key: "operator" })).json()) as Listed;

test("shows receivers without their secrets, and sends a test once by the surgeon's own path, which it audits", async () => {
  const console = await startTestConsole();
  expect(await list(console)).toEqual({ dropped: 0, receivers: [] });
  const taking = await startReceiver((text): { type: string } => JSON.parse(text));
  const refusing = createServer((_, answer) => void answer.writeHead(500).end());
  await new Promise<void>((resolve) => void refusing.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void refusing.close());
  const { port } = refusing.address() as { port: number };
  const urls = [`${taking.url}/in?token=hush`, `http://127.0.0.1:${port}/out?token=hush`];
  deliver(console.store, urls);
  await expect.poll(async () => (await list(console)).receivers.length).toBe(2);
  const { receivers } = await list(console);
  expect(receivers.map(({ host }) => host)).toEqual(urls.map((url) => new URL(url).host));
  const ask = (at: number, key: "admin" | "operator" = "admin") =>
    console.post(`/v1/webhooks/${receivers[at]?.receiver}/test`, { why: "is it there?" }, { key });
  expect((await ask(0, "operator")).status).toBe(403);
  expect((await console.post("/v1/webhooks/none/test", { why: "x" })).status).toBe(404);
  expect((await console.post(`/v1/webhooks/${receivers[0]?.receiver}/test`, {})).status).toBe(422);
  const taken = await (await ask(0)).json();
  expect(taken).toMatchObject({
    delivery: { type: "webhook.test", attempts: 1, outcome: "taken", error: null },
  });
  const refused = await (await ask(1)).json();
  expect(refused).toMatchObject({
    delivery: { outcome: "given_up", error: `http://127.0.0.1:${port} answered 500 to a webhook.` },
  });
  await console.store.notices.add({ mark: "m", type: "producer.failing", data: { agent: "a" } });
  await expect
    .poll(() => list(console))
    .toMatchObject({
      receivers: [
        { waiting: 0, next: [], deliveries: [{ type: "producer.failing" }, { type: "webhook.test" }] },
        {
          waiting: 1,
          next: [{ type: "producer.failing", attempts: 1 }],
          deliveries: [{ outcome: "will_be_sent_again" }, { outcome: "given_up" }],
        },
      ],
    });
  // Both surgeons saw the order.
  expect(taking.posts.map(({ body }) => body.type)).toEqual(["webhook.test", "producer.failing"]);
  const seen = JSON.stringify([await list(console), taken, refused]);
  expect(seen).not.toMatch(/hush|whsec_/);
  const people = await (await console.send("/v1/audit/people")).text();
  expect(people).toContain("webhook.test");
  expect(people).toContain("is it there?");
});

import { expect, test } from "vitest";
import { startTestConsole } from "./testing/start-test-console.ts";

test.each([
  ["wait", "a string, not a list"],
  ["meta", "a string, not a hash"],
])("names a queue whose key %s is damaged, and shows all else as it is", async (key, problem) => {
  const console = await startTestConsole();
  await console.store.redis.set(console.store.keys.job("con-book", key), "x");
  for (const path of ["/v1/queues", "/v1/overview"]) {
    const answer = await console.send(path);
    expect(answer.status, path).toBe(200);
    const { queues } = (await answer.json()) as { queues: { agent: string; damage: string | null }[] };
    const damaged = queues.filter(({ damage }) => damage !== null);
    expect(damaged).toEqual([
      expect.objectContaining({ agent: "con-book", lane: "fresh", damage: expect.stringContaining(problem) }),
    ]);
  }
});

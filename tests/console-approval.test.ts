import { expect, test } from "vitest";
import { startTestConsole } from "../services/console/testing/start-test-console.ts";
import { startRealSurgeon } from "./support/start-real-surgeon.ts";

const ORDER = { order_id: "A-1", amount: 12.5, note: "by wire" };

test.each([
  [true, { booked: "A-1", amount: 12.5 }],
  [false, { refused: "asked the customer" }],
])(
  "a person decides about a waiting tool call, approved: %s, and its agent goes on with that",
  async (approved, result) => {
    const console = await startTestConsole();
    await console.system.start();
    startRealSurgeon(console);
    const waiting = await console.admit(ORDER);
    expect(waiting).toMatchObject({ status: "quarantined", subject: "answer" });
    const at = `/v1/ward/cases/${waiting.case_id}/approval`;
    expect((await console.post(at, { approved, why: "x" }, { key: "viewer" })).status).toBe(403);
    expect((await console.post(at, { approved })).status).toBe(422);
    const decided = await console.post(at, { approved, why: "asked the customer", version: waiting.version });
    expect(decided.status).toBe(202);
    expect((await console.system.until(waiting.run_id)).result).toEqual(result);
    const audit = await console.store.cases.audit(waiting.case_id, 20);
    expect(audit.map(({ action, why }) => [action, why])).toContainEqual([
      "decide.release",
      "asked the customer",
    ]);
  },
);

test("a case without a waiting tool call takes no such decision", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const broken = await console.admit({ ...ORDER, note: 7 });
  const answer = await console.post(`/v1/ward/cases/${broken.case_id}/approval`, {
    approved: true,
    why: "x",
  });
  expect(answer.status).toBe(409);
});

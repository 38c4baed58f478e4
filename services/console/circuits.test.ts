import { expect, test } from "vitest";
import { z } from "zod";
import { startTestConsole, waitFor } from "./testing/start-test-console.ts";

const ratesForm = z.object({ span: z.string(), producers: z.array(z.unknown()) });
const circuitsForm = z.object({ circuits: z.array(z.looseObject({ agent: z.string() })) });
const auditForm = z.object({
  audit: z.array(z.looseObject({ by: z.string(), action: z.string(), why: z.string() })),
});

test("shows who makes malformed outputs and how circuits stand, and has people open and close them", async () => {
  const console = await startTestConsole();
  await console.system.start({ circuitsEveryMs: 20 });
  await console.admit({ order_id: 1, amount: "many" });
  const rates = await waitFor(async () => {
    const sent = await console.send("/v1/producers?span=two_days", { key: "viewer" });
    const answer = ratesForm.parse(await sent.json());
    return answer.producers.length > 0 && answer;
  });
  expect(rates).toEqual({
    span: "two_days",
    producers: [
      {
        agent: "gateway@1",
        contract: "con.order@1",
        model: null,
        prompt_version: null,
        outputs: 1,
        malformed: 1,
        rate: 1,
        trend: { outputs: [...Array<number>(47).fill(0), 1], malformed: [...Array<number>(47).fill(0), 1] },
      },
    ],
  });
  expect((await console.send("/v1/producers?span=year")).status).toBe(422);
  const circuitOf = async (agent: string) => {
    const sent = await console.send("/v1/circuits", { key: "viewer" });
    const answer = circuitsForm.parse(await sent.json());
    return answer.circuits.find((one) => one.agent === agent);
  };
  expect(await circuitOf("con-book")).toMatchObject({
    state: "closed",
    held_by: null,
    reaction: "alert",
    declared: { threshold: 0.5, outputs_min: 20, window_ms: 300_000, trial_outputs: 5 },
  });
  const open = await console.post("/v1/circuits/con-book/open", { why: "a bad day" }, { key: "operator" });
  expect(open.status).toBe(200);
  expect(await open.json()).toMatchObject({
    agent: "con-book",
    state: "open",
    held_by: "olga",
    until_ms: null,
  });
  expect(await circuitOf("con-book")).toMatchObject({ state: "open" });
  expect((await console.post("/v1/circuits/con-book/close")).status).toBe(200);
  expect(await circuitOf("con-book")).toMatchObject({ state: "closed", held_by: null });
  expect((await console.post("/v1/circuits/nobody/open")).status).toBe(404);
  const { audit } = auditForm.parse(await (await console.send("/v1/audit")).json());
  const lines = audit.filter((line) => line.action.startsWith("circuit."));
  expect(lines.map((line) => [line.by, line.action, line.why])).toEqual([
    ["ada", "circuit.closed", ""],
    ["olga", "circuit.open", "a bad day"],
  ]);
});

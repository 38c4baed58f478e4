import { describe, expect, it } from "vitest";
import { messageIn, openSurgeonTestSystem, repairWith } from "../../testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "../../testing/surgeon-test-system.ts";

describe("examples beside a question", () => {
  it("show how others of the same agent were healed, and no word of them, and are written down", async () => {
    const system = await openSurgeonTestSystem();
    const { endpoint, untilCase } = system;
    endpoint.answer = (input) => {
      const { order_id } = messageIn(input);
      const seats = /for (\d+) seats/.exec(String(input["original_query"]))?.[1];
      return repairWith({ order_id, seats: Number(seats) });
    };
    await system.start();
    system.startSurgeon();
    const cases: string[] = [];
    const submit = async (n: number): Promise<void> => {
      const { runId } = await system.submit(
        { order_id: `A-${n}`, [`Feld${n}`]: `Kanarienvogel ${n}` },
        { user: { original_query: `Refund A-${n} for ${n - 999} seats, says Wellensittich${n}.` } },
      );
      expect((await system.until(runId, ["completed", "quarantined"])).status).toBe("completed");
      cases.push((await untilCase(runId, ({ status }) => status === "discharged")).case_id);
    };
    for (let n = 1001; n < 1007; n += 1) await submit(n);
    expect(endpoint.questions).toHaveLength(6);
    expect(endpoint.questions[0]?.["examples"]).toEqual([]);
    const last = endpoint.questions.at(-1);
    expect(last?.["examples"]).toHaveLength(3);
    expect(((last?.["examples"] ?? []) as unknown[])[0]).toMatchObject({
      problems: expect.arrayContaining([{ path: "/seats", code: expect.any(String) }]),
      change: expect.arrayContaining([
        {
          op: "add",
          path: "/seats",
          after: expect.stringContaining("whole number"),
          from: "original_query",
        },
      ]),
    });
    // Nothing of one message stands in the question about another.
    for (const [asked, question] of endpoint.questions.entries()) {
      const text = JSON.stringify(question);
      for (let n = 1001; n < 1007; n += 1)
        expect(text.includes(`A-${n}`) || text.includes(`Feld${n}`) || text.includes(`${n}.`)).toBe(
          n === 1001 + asked,
        );
    }
    const history = (await untilCase(await runOf(system, cases.at(-1) ?? ""), () => true)).history;
    const model = history[0]?.attempts.find(({ procedure }) => procedure === "strong_model");
    expect(model?.examples).toEqual(cases.slice(2, 5).toReversed());
  });

  it("are twenty at most for an agent, the oldest gone, and forgotten with the retention", async () => {
    const system = await openSurgeonTestSystem();
    const { examples } = system.store.cases;
    const scope = { agent: "desk", contract: "c@1" };
    for (let n = 0; n < 25; n += 1) await examples.keep(scope, { case_id: `c${n}`, example: n }, 120_000);
    await examples.keep(scope, { case_id: "c24", example: 24 }, 120_000);
    expect((await examples.of(scope)).length).toBe(20);
    const key = system.store.keys.ward("examples:desk/c@1");
    expect(await system.store.redis.pttl(key)).toBeGreaterThan(50_000);
  });
});

async function runOf(system: SurgeonTestSystem, caseId: string): Promise<string> {
  return (await system.stored(caseId)).fields["run_id"] ?? "";
}

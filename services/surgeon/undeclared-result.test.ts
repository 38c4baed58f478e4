import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { HandlerOutcome } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { findCases, getCase } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import { openSurgeonTestSystem, Refund } from "./testing/surgeon-test-system.ts";

const Paid = contract("help.paid@1", z.strictObject({ receipt: z.string() }));

it("keeps a run whose result its team does not declare, until the agent is corrected; no effect is repeated", async () => {
  let isCorrected = false;
  let payments = 0;
  const desk = agent("desk@1", {
    accepts: Refund,
    // Its type hides the bug from the compiler.
    handle: async (_input, ctx): Promise<HandlerOutcome> => {
      const receipt = await ctx.once("pay", async () => `receipt ${(payments += 1)}`);
      return ctx.complete(isCorrected ? { receipt } : { reciept: receipt });
    },
  });
  const system = createTestSystem(team("help", [desk], { result: Paid }));
  const surgery = await openSurgeonTestSystem();
  await system.start();
  surgery.startSurgeon({ store: system.store, keyring: system.keyring, teams: [system.team] });
  const { runId } = await system.submit({ order_id: "A-1234", seats: 2 });
  const run = await system.until(runId, ["quarantined"]);
  expect(run.result).toBeNull();
  const { cases } = await findCases(system.store, { filter: { run_id: runId }, limit: 5 });
  const [{ case_id } = { case_id: "" }] = cases;
  expect(JSON.stringify(await getCase(system.store, case_id))).toContain("RESULT_INVALID");
  isCorrected = true;
  await decide(system, { case_id, decision: "release", by: "ada", why: "the agent is corrected" });
  const ended = await system.until(runId);
  expect(ended).toMatchObject({ status: "completed", result: { receipt: "receipt 1" } });
  expect(payments).toBe(1);
});

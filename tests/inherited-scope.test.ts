import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { fanOut, join } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { awayError } from "#shared/testing";
import type { WardCase } from "#shared/ward";
import { decide, groupBatches } from "#shared/ward/decisions";
import { answerOf, runForm, startedForm } from "../services/gateway/testing/answer.ts";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import type { TestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { BRISK, operateOn, untilWaiting } from "./support/operate-on.ts";

/** A message made from another may cause no more than that one, and keeps its labels, on each way that it can take. */

const WAYS = ["straight", "reroute", "fan_out", "malformed", "away"] as const;
type Way = (typeof WAYS)[number];

const Task = contract("task@1", z.strictObject({ way: z.enum(WAYS), order: z.string(), seats: z.int() }));
const Found = contract("found@1", z.strictObject({ order: z.string() }));

interface Desk {
  readonly gateway: TestGateway;
  readonly payments: string[];
  /** Scope and labels of each message that came to an agent which pays. */
  readonly seen: unknown[];
}

const INHERITED = { may_cause: [], taint: { "": ["customer"] } };

async function openDesk(): Promise<Desk> {
  const payments: string[] = [];
  const seen: unknown[] = [];
  let isAway = true;
  const pay = async (order: string, ctx: Pick<Context, "envelope" | "once">): Promise<void> => {
    const { meta, conversation } = ctx.envelope;
    seen.push({ may_cause: meta["may_cause"], taint: conversation.metadata["taint"] });
    await ctx.once(`pay:${order}`, async () => void payments.push(order));
  };
  const desk = agent("desk@1", {
    accepts: Task,
    to: { worker: Task },
    guard: { untrusted: { payload: { "": "customer" } } },
    handle: (task, ctx) => {
      // A payload that its receiver's contract refuses goes to the ward, and is mended there without a model.
      const payload = task.way === "malformed" ? { ...task, seats: String(task.seats) } : task;
      return ctx.handoff("worker", payload as typeof task, { mayCause: [] });
    },
  });
  const worker = agent("worker@1", {
    accepts: Task,
    to: { payer: Task, merge: Task },
    deliveriesMax: 1,
    handle: async (task, ctx) => {
      if (task.way === "reroute") return ctx.reject("not mine");
      if (task.way === "fan_out")
        return fanOut({
          branches: [ctx.handoff("payer", task)],
          join: ctx.handoff("merge", task),
          policy: "collect",
        });
      if (task.way === "away" && isAway) {
        isAway = false;
        throw awayError();
      }
      await pay(task.order, ctx);
      return ctx.complete({});
    },
  });
  const payer = agent("payer@1", {
    accepts: Task,
    to: { merge: Found },
    deliveriesMax: 1,
    handle: async (task, ctx) => {
      await pay(task.order, ctx).catch((error: unknown) => {
        if (task.way !== "fan_out") throw error;
      });
      return ctx.handoff("merge", { order: task.order });
    },
  });
  const merge = join("merge@1", {
    accepts: Task,
    collects: Found,
    deliveriesMax: 1,
    handle: async (task, _branches, ctx) => {
      await pay(task.order, ctx);
      return ctx.complete({});
    },
  });
  const own = team("desk-team", [desk, worker, payer, merge], { fallbacks: { "desk>worker": ["payer"] } });
  const gateway = await startTestGateway({ team: own });
  await gateway.system.start();
  operateOn(gateway.system, { ...BRISK, limits: { ...BRISK.limits, surgeonResendMs: 1 } });
  return { gateway, payments, seen };
}

async function submit({ gateway }: Desk, way: Way): Promise<string> {
  const input = { way, order: `A-${way}`, seats: 2 };
  const answer = await gateway.post("/v1/tasks", { team: "desk-team", input });
  return (await answerOf(answer, startedForm)).run_id;
}

/** Returns the run's case, once it was refused because the action is out of its scope. */
const refused = ({ gateway }: Desk, runId: string, messages = 1): Promise<WardCase> =>
  untilWaiting(gateway.system, runId, (one) => {
    const isOut = one.diagnosis?.includes("an earlier handoff narrowed") === true;
    return isOut && one.messages >= messages;
  });

describe("a message that may cause nothing", () => {
  it.each(WAYS)("pays nothing on its way: %s", async (way) => {
    const desk = await openDesk();
    const runId = await submit(desk, way);
    await refused(desk, runId);
    expect(desk.payments).toEqual([]);
    expect(desk.seen.length).toBeGreaterThan(0);
    for (const one of desk.seen) expect(one).toEqual(INHERITED);
  });

  it("pays nothing when a person releases it as it is, with another payload, or with its group", async () => {
    const desk = await openDesk();
    const runId = await submit(desk, "straight");
    const { store } = desk.gateway.system;
    const { case_id, fingerprint } = await refused(desk, runId);
    await decide(store, { case_id, decision: "release", by: "ada", why: "" });
    await refused(desk, runId, 2);
    const payload = JSON.stringify({ way: "straight", order: "B-1", seats: 2 });
    await decide(store, { case_id, decision: "release", by: "ada", why: "", payload });
    await refused(desk, runId, 3);
    const batch = {
      fingerprint,
      decision: "release" as const,
      by: "ada",
      why: "",
      canary: 1,
      rate_per_second: 100,
    };
    const { batch_id } = await groupBatches(desk.gateway.system.store).plan(batch);
    await expect.poll(async () => (await groupBatches(store).find(batch_id))?.state).toBe("planned");
    await groupBatches(desk.gateway.system.store).start(batch_id);
    await refused(desk, runId, 4);
    expect(desk.payments).toEqual([]);
    for (const one of desk.seen) expect(one).toEqual(INHERITED);
  });

  it("pays nothing when it is replayed, as it was or with another payload", async () => {
    const desk = await openDesk();
    const { gateway } = desk;
    const runId = await submit(desk, "straight");
    await refused(desk, runId);
    const { hops } = await answerOf(gateway.send(`/v1/runs/${runId}`), runForm);
    const message_id = hops[1]?.message_id ?? "";
    for (const more of [{}, { data_payload: { way: "straight", order: "B-1", seats: 2 } }]) {
      const answer = await gateway.post(`/v1/runs/${runId}/replay`, { message_id, ...more });
      expect(answer.status).toBe(202);
      await refused(desk, (await answerOf(answer, startedForm)).run_id);
    }
    expect(desk.payments).toEqual([]);
    expect(desk.seen).toEqual([INHERITED, INHERITED, INHERITED]);
  });
});

it("a replay with another payload is clean nowhere", async () => {
  const seen: unknown[] = [];
  const desk = agent("desk@1", {
    accepts: Found,
    to: { last: Found },
    guard: { untrusted: { payload: { "": "customer" } }, clean: { last: ["/order"] } },
    handle: (_found, ctx) => ctx.handoff("last", { order: "own words" }),
  });
  const last = agent("last@1", {
    accepts: Found,
    handle: (_found, ctx) => {
      seen.push(ctx.envelope.conversation.metadata["taint"]);
      return ctx.complete({});
    },
  });
  const gateway = await startTestGateway({ team: team("clean-team", [desk, last]) });
  await gateway.system.start();
  const answer = await gateway.post("/v1/tasks", { team: "clean-team", input: { order: "x" } });
  const { run_id } = await answerOf(answer, startedForm);
  await gateway.system.until(run_id);
  const { hops } = await answerOf(gateway.send(`/v1/runs/${run_id}`), runForm);
  for (const more of [{}, { data_payload: { order: "other" } }]) {
    const replay = await gateway.post(`/v1/runs/${run_id}/replay`, {
      message_id: hops[1]?.message_id,
      ...more,
    });
    await gateway.system.until((await answerOf(replay, startedForm)).run_id);
  }
  const vouched = { "": ["customer"], "/order": [] };
  expect(seen).toEqual([vouched, vouched, { "": ["customer"] }]);
});

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { OnceOptions } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";

const Mail = contract("mail@1", z.object({ body: z.string(), order: z.string() }));
const FROM_CUSTOMER = { conversation: { metadata: { taint: { "": ["customer"], "/order": [] } } } };

interface Desk {
  readonly options?: OnceOptions<string>;
  /** Looks up within a recorded step. */
  readonly inStep?: boolean;
  /** Deliveries that fail after the look-up. */
  readonly failures?: number;
}

/** An agent that looks a text up once for all its runs, and pays by it. */
function desk({ options = {}, inStep = false, failures = 0 }: Desk = {}) {
  const payments: string[] = [];
  const carried: unknown[] = [];
  let left = failures;
  const reader = agent("reader@1", {
    accepts: Mail,
    to: { filer: Mail },
    guard: { refusesTaint: { pay: ["customer"] } },
    handle: async (mail, ctx) => {
      const lookUp = () =>
        ctx.once("look_up:account", () => Promise.resolve(mail.body), { scope: "agent", ...options });
      const account = inStep ? await ctx.step("account", lookUp) : await lookUp();
      if (mail.order === "A-2" && left > 0) {
        left -= 1;
        throw Object.assign(new Error("flaky"), { failureClass: "transient" });
      }
      if (mail.order === "A-2") await ctx.once(`pay:${mail.order}`, async () => void payments.push(account));
      return ctx.handoff("filer", { ...mail, body: account });
    },
  });
  const filer = agent("filer@1", {
    accepts: Mail,
    handle: (_mail, ctx) => {
      carried.push(ctx.envelope.conversation.metadata["taint"]);
      return ctx.complete({});
    },
  });
  return { system: createTestSystem(team("desk", [reader, filer])), payments, carried };
}

async function lookUpTwice({ system }: { readonly system: TestSystem }): Promise<string> {
  await system.start();
  const first = await system.submit({ body: "account DE-666", order: "A-1" }, FROM_CUSTOMER);
  await system.until(first.runId);
  const second = await system.submit({ body: "clean", order: "A-2" });
  return (await system.until(second.runId, ["completed", "quarantined", "in_ward"])).status;
}

describe("a result of ctx.once that another run made", () => {
  it("has the labels of what that run had read, for actions and for what is handed on", async () => {
    const one = desk();
    expect(await lookUpTwice(one)).not.toBe("completed");
    expect(one.payments).toEqual([]);
    const other = desk();
    await other.system.start();
    for (const [order, more] of [
      ["A-1", FROM_CUSTOMER],
      ["A-3", {}],
    ] as const) {
      const { runId } = await other.system.submit({ body: "x", order }, more);
      await other.system.until(runId);
    }
    expect(other.carried).toEqual([{ "": ["customer"] }, { "": ["customer"] }]);
  });

  it("has them also when the agent runs again and takes the result from its record", async () => {
    const one = desk({ inStep: true, failures: 1 });
    expect(await lookUpTwice(one)).not.toBe("completed");
    expect(one.payments).toEqual([]);
  });

  it("has none of a place that the effect did not use", async () => {
    const one = desk({ options: { uses: ["/order"] } });
    expect(await lookUpTwice(one)).toBe("completed");
    expect(one.payments).toEqual(["account DE-666"]);
  });
});

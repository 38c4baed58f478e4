import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";

const Note = contract("note@1", z.object({ n: z.number() }));

it("keeps nothing of a delivery that is over, though its handler left listeners on its signal", async () => {
  const signals: WeakRef<AbortSignal>[] = [];
  const solo = agent("solo@1", {
    accepts: Note,
    handle: (note, ctx) => {
      signals.push(new WeakRef(ctx.signal));
      ctx.signal.addEventListener("abort", () => signals.length);
      return ctx.complete(note.n);
    },
  });
  const system = createTestSystem(team("one", [solo]));
  await system.start();
  for (let n = 0; n < 5; n += 1) {
    const { runId } = await system.submit({ n });
    await system.until(runId);
  }
  setFlagsFromString("--expose-gc");
  // The flag puts a function of this name into every context that is made from now on.
  const collect = runInNewContext("gc") as () => void;
  const left = (): number => {
    collect();
    return signals.filter((signal) => signal.deref() !== undefined).length;
  };
  // The engine may still hold its last job.
  await expect.poll(left, { timeout: 60_000 }).toBeLessThanOrEqual(1);
});

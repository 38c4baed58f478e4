import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { orderCircuit } from "#shared/people";
import { agent, team } from "#shared/runtime";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import { GATEWAY_BOUNDS_DEFAULT } from "../bounds.ts";

const Task = contract("entry.task@1", z.object({ id: z.string() }));
const work = (name: "entry-first" | "entry-spare") =>
  agent(`${name}@1`, { accepts: Task, handle: (_, ctx) => ctx.complete({ by: name }) });

it("begins tasks with the declared agent while the circuit of the first is open", async () => {
  const works = team("entry", [work("entry-first"), work("entry-spare")], {
    circuits: { "entry-first": { reaction: { kind: "fall_back", agent: "entry-spare" } } },
  });
  const gateway = await startTestGateway({
    team: works,
    bounds: { ...GATEWAY_BOUNDS_DEFAULT, staleMsMax: 0 },
  });
  await gateway.system.start({ circuitsEveryMs: 20 });
  const begun = async (): Promise<unknown> => {
    const answer = await gateway.post("/v1/tasks", { team: "entry", input: { id: "a" } });
    const { run_id } = z.looseObject({ run_id: z.string() }).parse(await answer.json());
    return (await gateway.system.until(run_id)).result;
  };
  // As the console does.
  const turn = async (name: string, to: "open" | "closed"): Promise<void> => {
    await orderCircuit(gateway.system.store, { agent: name, is_open: to === "open", by: "ada" });
    await gateway.store.circuits.set({ agent: name, to, by: "ada", why: "" });
  };
  expect(await begun()).toEqual({ by: "entry-first" });
  await turn("entry-first", "open");
  expect(await begun()).toEqual({ by: "entry-spare" });
  const metrics = await (await gateway.send("/metrics")).text();
  expect(metrics).toContain('suture_circuit_state{agent="entry-first",state="open"} 1');
  expect(metrics).toContain('suture_circuit_state{agent="entry-first",state="closed"} 0');
  // Where that one is no better, the first gets its work.
  await turn("entry-spare", "open");
  expect(await begun()).toEqual({ by: "entry-first" });
  await turn("entry-spare", "closed");
  await turn("entry-first", "closed");
  expect(await begun()).toEqual({ by: "entry-first" });
});

import { describe, expect, it } from "vitest";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { StoredRecipe } from "#shared/store/cases";
import {
  messageIn,
  openSurgeonAtWork,
  openSurgeonTestSystem,
  readGerman,
  Refund,
  repairWith,
} from "../testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "../testing/surgeon-test-system.ts";

const RENAME = { version: 1, operations: [{ op: "rename", path: "/bestellung", to: "order_id" }] };
const MESSAGES = 80;

async function submit(system: SurgeonTestSystem, by: string, payload: unknown): Promise<string> {
  return (await system.submit(payload, { submittedBy: by })).runId;
}

/** Has the letters of one producer seen to, and waits until each has come to an end or to a person. */
async function see(system: SurgeonTestSystem, by: string, payloads: readonly unknown[]): Promise<string[]> {
  const runs = await Promise.all(payloads.map((payload) => submit(system, by, payload)));
  const ends: string[] = [];
  for (const runId of runs)
    ends.push((await system.until(runId, ["completed", "failed", "quarantined"])).status);
  return ends;
}

const honest = (count: number, from = 1000): object[] =>
  Array.from({ length: count }, (_, n) => ({ bestellung: `A-${from + n}`, seats: (n % 7) + 1 }));

async function listRecipes(system: SurgeonTestSystem): Promise<StoredRecipe[]> {
  return system.recipes.list();
}

/** A recipe that two honest producers have taught and their messages have proved. */
async function openTrusted(
  options: Parameters<typeof openSurgeonTestSystem>[0] = {},
): Promise<SurgeonTestSystem> {
  const system = await openSurgeonAtWork(options);
  system.endpoint.answer = readGerman;
  await see(system, "anna", honest(1, 1000));
  await see(system, "anna", honest(3, 1100));
  expect(await listRecipes(system)).toMatchObject([{ state: "trial", taught_by: ["gateway/anna"] }]);
  await see(system, "bert", honest(1, 1200));
  expect(await listRecipes(system)).toMatchObject([
    { state: "trusted", recipe: RENAME, taught_by: ["gateway/anna", "gateway/bert"] },
  ]);
  expect(system.endpoint.questions.length).toBe(2);
  return system;
}

describe("a trusted recipe", () => {
  it.each([
    ["are read as another fault", (n: number) => ({ bestellung: { a: n }, seats: 1 })],
    ["fail its proof", (n: number) => ({ bestellung: `B-${n}`, seats: 2 })],
    ["fail its proof, and are said to be repaired", (n: number) => ({ bestellung: `B-${n}`, seats: 3 })],
  ])("goes on healing honest messages after 80 of one producer that %s", async (_how, messageOf) => {
    const system = await openTrusted();
    const { endpoint } = system;
    // The model is no friend either: it repeats what it was shown.
    const hostile = Array.from({ length: MESSAGES }, (_, n) => messageOf(n));
    const ends = await see(system, "mallory", hostile);
    expect(new Set(ends)).toEqual(new Set(["quarantined"]));
    const asked = endpoint.questions.length;
    expect(await see(system, "anna", honest(30, 2000))).toEqual(
      Array.from({ length: 30 }, () => "completed"),
    );
    expect(await see(system, "carl", honest(5, 3000))).toEqual(Array.from({ length: 5 }, () => "completed"));
    expect(endpoint.questions.length).toBe(asked);
    expect(await listRecipes(system)).toContainEqual(
      expect.objectContaining({ state: "trusted", recipe: RENAME, failures: 0 }),
    );
  });

  it("is withheld from one producer alone whose messages come back, however many", async () => {
    const system = await openSurgeonTestSystem();
    const { endpoint } = system;
    endpoint.answer = readGerman;
    await system.start();
    // Its release of the team does not check yet what the contract says beside its form.
    const Lax = contract("desk.refund@1", Refund.schema);
    const lax = team("help", [agent("desk@1", { accepts: Lax, handle: (_input, ctx) => ctx.complete({}) })]);
    system.startSurgeon({ teams: [lax] });
    await see(system, "anna", honest(4, 1000));
    await see(system, "bert", honest(1, 1200));
    await see(system, "anna", honest(3, 1300));
    expect(await listRecipes(system)).toMatchObject([{ state: "trusted" }]);
    const hostile = Array.from({ length: 40 }, (_, n) => ({ bestellung: `A-${4000 + n}`, seats: 5000 }));
    await see(system, "mallory", hostile);
    const asked = endpoint.questions.length;
    expect(await listRecipes(system)).toMatchObject([
      { state: "trusted", withheld_from: ["gateway/mallory"] },
    ]);
    expect(await see(system, "anna", honest(20, 2000))).not.toContain("quarantined");
    expect(endpoint.questions.length).toBe(asked);
  });
});

describe("a wrong recipe", () => {
  /** A model that takes the number that stands first; which of the two is meant, only their producer knows. */
  const takeFirst = (input: Record<string, unknown>): Record<string, unknown> => {
    const { bestellung, konto, seats } = messageIn(input);
    const isHostile = String(input["original_query"]).includes("konto");
    const recipe = {
      version: 1,
      operations: [
        { op: "rename", path: isHostile ? "/konto" : "/bestellung", to: "order_id" },
        { op: "delete", path: isHostile ? "/bestellung" : "/konto" },
      ],
    };
    return repairWith({ order_id: isHostile ? konto : bestellung, seats }, recipe);
  };
  const bothOf = (n: number): object => ({ bestellung: `A-${1000 + n}`, konto: `A-${5000 + n}`, seats: 1 });

  it("that one producer teaches, by however many messages, heals nobody else's, and is never trusted", async () => {
    const system = await openSurgeonAtWork();
    const { endpoint } = system;
    endpoint.answer = takeFirst;
    const teach = async (n: number): Promise<void> => {
      const { runId } = await system.submit(bothOf(n), {
        submittedBy: "mallory",
        user: { original_query: "take konto" },
      });
      await system.until(runId, ["completed", "quarantined"]);
    };
    await teach(0);
    await Promise.all(Array.from({ length: MESSAGES }, (_, n) => teach(n + 1)));
    const taught = await listRecipes(system);
    expect(taught.map(({ state, taught_by }) => ({ state, taught_by }))).toEqual(
      taught.map(() => ({ state: "trial", taught_by: ["gateway/mallory"] })),
    );
    system.handled.length = 0;
    expect(await see(system, "anna", [bothOf(7)])).toEqual(["completed"]);
    expect(system.handled).toEqual([{ order_id: "A-1007", seats: 1 }]);
  });
});

describe("the store of recipes", () => {
  it("has room for honest producers when one has taken all that it may", async () => {
    const system = await openSurgeonTestSystem();
    const { recipes } = system;
    const add = (fingerprint: string, n: number, by: string): Promise<string> =>
      recipes.add({
        recipe_id: `${by}-${fingerprint}-${n}`,
        fingerprint,
        state: "proposed",
        recipe: RENAME,
        by: "surgeon@1",
        at: "",
        learned_from: `case-${n}`,
        taught_by: [by],
      });
    const sameFault = await Promise.all(Array.from({ length: 30 }, (_, n) => add("f", n, "mallory")));
    expect(sameFault.filter((kept) => kept === "kept").length).toBe(4);
    expect(await add("f", 0, "anna")).toBe("kept");
    const faults = Array.from({ length: 5200 }, (_, n) => n);
    const kept: string[] = [];
    for (let from = 0; from < faults.length; from += 400)
      kept.push(
        ...(await Promise.all(faults.slice(from, from + 400).map((n) => add(`g${n}`, 0, "mallory")))),
      );
    expect(kept.filter((one) => one === "kept").length).toBe(196);
    expect(await add("h", 0, "anna")).toBe("kept");
    const approved = { recipe_id: "ada", fingerprint: "f", state: "trusted" as const, recipe: RENAME };
    expect(await recipes.put({ ...approved, by: "ada", at: "" })).toBe(true);
    // A recipe that is gone makes room again.
    await recipes.remove("mallory-g0-0");
    expect(await add("i", 0, "mallory")).toBe("kept");
    expect(await add("j", 0, "mallory")).toBe("full");
  });
});

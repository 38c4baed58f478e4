import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { AnyAgent, Context } from "#shared/runtime";

const Note = contract("note@1", z.object({ text: z.string() }));
const Facts = contract("facts@1", z.object({ facts: z.array(z.string()).default([]) }));
const Facts2 = contract("facts@2", z.object({ facts: z.array(z.string()) }));

const end = agent("end@1", { accepts: Facts, handle: (input, ctx) => ctx.complete(input.facts.length) });
const begin = agent("begin@1", {
  accepts: Note,
  to: { end: Facts },
  handle: (note, ctx) => ctx.handoff("end", { facts: [note.text] }),
});

describe("agent", () => {
  it.each(["x", "x@0", "X@1", "x.y@1", "x@1.2", "ward@1", "gateway@1", "surgeon@1"] as const)(
    "refuses the id %s",
    (id) => {
      expect(() => agent(id as "x@1", { accepts: Note, handle: (_input, ctx) => ctx.complete(1) })).toThrow(
        /Agent/,
      );
    },
  );

  it("refuses to stop when idle what others look for at work", () => {
    const idle = (lookedFor: { readonly collects?: typeof Facts; readonly capabilities?: string[] }) => () =>
      agent("idle@1", {
        accepts: Note,
        stopsWhenIdle: true,
        handle: (_input, ctx) => ctx.complete(1),
        ...lookedFor,
      });
    expect(idle({})).not.toThrow();
    expect(idle({ collects: Facts })).toThrow(/stopsWhenIdle/);
    expect(idle({ capabilities: ["welding"] })).toThrow(/stopsWhenIdle/);
  });

  it("lets the compiler refuse a receiver or a payload that is not declared", () => {
    type Handoff = Context<{ end: typeof Facts }>["handoff"];
    expectTypeOf<Parameters<Handoff>[0]>().toEqualTypeOf<"end">();
    expectTypeOf<Parameters<Handoff>[1]>().toEqualTypeOf<{ facts?: string[] | undefined }>();
    // An agent that declares nobody may hand to nobody.
    type Alone = Context<Record<never, typeof Facts>>["handoff"];
    expectTypeOf<Parameters<Alone>[0]>().toEqualTypeOf<never>();
  });

  it("gives the handler what its contract's schema gives", () => {
    agent("typed@1", {
      accepts: Facts,
      handle: (input, ctx) => {
        expectTypeOf(input).toEqualTypeOf<{ facts: string[] }>();
        return ctx.complete(input);
      },
    });
  });
});

describe("team", () => {
  it("takes its graph from what its agents declare", () => {
    const made = team("t", [begin, end]);
    expect(made.entry.name).toBe("begin");
    expect(made.edges).toMatchObject([{ from: "begin", to: "end", contract: "facts@1", loop: false }]);
    expect(made.contracts.all().map((one) => one.id)).toEqual(["note@1", "facts@1"]);
  });

  it("refuses what cannot work, with the edge named", () => {
    const done = (_input: unknown, ctx: Pick<Context, "complete">) => ctx.complete(1);
    const lost = agent("lost@1", { accepts: Note, to: { nobody: Facts }, handle: done });
    const wrong = agent("wrong@1", { accepts: Note, to: { end: Note }, handle: done });
    const newer = agent("newer@1", { accepts: Note, to: { end: Facts2 }, handle: done });
    // The compiler refuses it where it knows the agent's name.
    const agents: readonly AnyAgent[] = [lost];
    expect(() => team("t", agents)).toThrow(/lost>nobody/);
    expect(() => team("t", [wrong, end])).toThrow(/wrong>end/);
    expect(() => team("t", [newer, end])).toThrow(/newer>end/);
    expect(() => team("t", [begin, end, end])).toThrow(/two agents are called end/);
    expect(() => team("t", [begin, end], { entry: "other" })).toThrow(/entry/);
    expect(() => team("t", [begin, end], { loops: ["end>begin"] })).toThrow(/end>begin/);
    expect(() => team("t", [begin, end], { fallbacks: { "begin>end": ["begin"] } })).toThrow(
      /fallback begin/,
    );
  });
});

describe("the type of a team", () => {
  const Result = contract(
    "result@1",
    z.object({ status: z.enum(["done", "open"]), tags: z.array(z.string()), more: z.string().optional() }),
  );
  const start = agent("start@1", {
    accepts: Note,
    to: { end: Note },
    handle: (note, ctx) => ctx.handoff("end", note),
  });
  const finish = agent("end@1", {
    accepts: Note,
    handle: async ({ text }, ctx) =>
      text === "" ? ctx.reject("empty") : ctx.complete({ status: "done", tags: ["a", text] }),
  });
  const wrong = agent("end@1", {
    accepts: Note,
    handle: ({ text }, ctx) =>
      text === "" ? ctx.complete({ wrong: 1 }) : ctx.complete({ status: "done", tags: [] }),
  });
  const loose = agent("end@1", { accepts: Note, handle: ({ text }, ctx) => ctx.complete(JSON.parse(text)) });

  type Taken<Agents extends readonly AnyAgent[]> = Parameters<typeof team<"t", Agents, typeof Result>>[1];
  type Start = typeof start;

  it("takes agents that hand to each other and complete with the declared result, or with what no type tells", () => {
    expectTypeOf<[Start, typeof finish]>().toExtend<Taken<[Start, typeof finish]>>();
    expectTypeOf<[Start, typeof loose]>().toExtend<Taken<[Start, typeof loose]>>();
    expectTypeOf<readonly AnyAgent[]>().toExtend<Taken<readonly AnyAgent[]>>();
    expectTypeOf<readonly [...AnyAgent[], Start]>().toExtend<Taken<readonly [...AnyAgent[], Start]>>();
  });

  it("refuses an agent that hands to nobody of the team, by name", () => {
    expectTypeOf<[Start]>().not.toExtend<Taken<[Start]>>();
    expectTypeOf<Taken<[Start]>>().toExtend<"start hands to end, which is no agent of this team">();
  });

  it("refuses an agent that completes with another result, in any branch of its handler", () => {
    expectTypeOf<[Start, typeof wrong]>().not.toExtend<Taken<[Start, typeof wrong]>>();
    expectTypeOf<
      Taken<[Start, typeof wrong]>
    >().toExtend<"end completes with what is not the result that the team declares">();
  });
});

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
    const lost = agent("lost@1", {
      accepts: Note,
      to: { nobody: Facts },
      handle: (_i, ctx) => ctx.complete(1),
    });
    const wrong = agent("wrong@1", {
      accepts: Note,
      to: { end: Note },
      handle: (_i, ctx) => ctx.complete(1),
    });
    const newer = agent("newer@1", {
      accepts: Note,
      to: { end: Facts2 },
      handle: (_i, ctx) => ctx.complete(1),
    });
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

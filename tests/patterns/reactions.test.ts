import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract, PayloadContentError } from "#shared/contract";
import { collectFailures, fanOut, fillBranches, join, orDefault } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import type { Team, TeamOptions } from "#shared/runtime";
import { startTestSystem } from "#shared/testing";
import { openModelSystem } from "../support/open-model-system.ts";

/** Pattern P6 on a real Redis: one team for each way to react to what goes wrong. */

const Trip = contract("trip@1", z.object({ places: z.array(z.string()) }));
const Place = contract("place@1", z.object({ place: z.string() }));
const Weather = contract("weather@1", z.object({ degrees: z.number() }));
const Report = contract("report@1", z.object({ title: z.string().min(3) }));

/** A place that nobody knows: well-formed and wrong. */
function lookUp(place: string): { degrees: number } {
  if (place.startsWith("no"))
    throw new PayloadContentError(Place.id, [
      { path: "/place", code: "unknown_place", message: "is on no map" },
    ]);
  return { degrees: place.length };
}

async function open(trips: Team) {
  const { system, endpoint } = await openModelSystem(trips);
  return { ...system, endpoint };
}

const lines = (options: TeamOptions): Team => {
  const look = agent("look@1", {
    accepts: Trip,
    to: { write: Report },
    handle: ({ places }, ctx) => {
      for (const place of places) lookUp(place);
      return ctx.handoff("write", { title: places.join(" ") });
    },
  });
  const write = agent("write@1", { accepts: Report, handle: (report, ctx) => ctx.complete(report) });
  return team("trips", [look, write], options);
};

describe("a team that fails fast", () => {
  it("ends its run at the first step that fails, with its class and code, and sends nothing to the ward", async () => {
    const system = await open(lines({ onFailure: "end" }));
    const { runId } = await system.submit({ places: ["rome", "nowhere", "oslo"] });
    expect(await system.until(runId, ["failed", "in_ward", "quarantined", "completed"])).toMatchObject({
      status: "failed",
      error: { class: "content_error", code: "PAYLOAD_CONTENT" },
    });
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    expect(events.map(({ type }) => type)).not.toContain("in_ward");
  });

  it("ends its run at the first branch that fails, with what the join says", async () => {
    const system = await open(fanned({ onFailure: "end" }, "fail"));
    const { runId } = await system.submit({ places: ["rome", "nowhere", "oslo"] });
    expect(await system.until(runId, ["failed", "in_ward", "quarantined", "completed"])).toMatchObject({
      status: "failed",
      error: { code: "FAN_OUT_UNMET" },
    });
  });
});

const fanned = (options: TeamOptions, onUnmet: "fail" | "handle"): Team => {
  const plan = agent("plan@1", {
    accepts: Trip,
    to: { look: Place, pack: Trip },
    handle: (trip, ctx) =>
      fanOut({
        branches: trip.places.map((place) => ctx.handoff("look", { place })),
        join: ctx.handoff("pack", trip),
        policy: "all",
      }),
  });
  const look = agent("look@1", {
    accepts: Place,
    to: { pack: Weather },
    handle: ({ place }, ctx) => ctx.handoff("pack", lookUp(place)),
  });
  const pack = join("pack@1", {
    accepts: Trip,
    collects: Weather,
    onUnmet,
    handle: (_trip, branches, ctx) => ctx.complete(fillBranches(branches, () => ({ degrees: 20 }))),
  });
  return team("trips", [plan, look, pack], options);
};

describe("a team that goes on with defaults", () => {
  const Headline = contract("headline@1", z.object({ headline: z.string().min(3) }));
  const editor = agent("editor@1", {
    accepts: Place,
    answers: [Headline],
    handle: async ({ place }, ctx) => {
      const weather = await orDefault(ctx, {
        step: "weather",
        work: () => lookUp(place),
        default: { degrees: 20 },
      });
      const ask = { instructions: "Write a headline.", input: { place }, answers: Headline };
      const headline = await orDefault(ctx, {
        step: "headline",
        work: () => ctx.model("write", ask),
        default: { headline: `Weather in ${place}` },
      });
      return ctx.complete({
        ...weather.value,
        ...headline.value,
        failures: [weather.failure, headline.failure],
      });
    },
  });
  const news = team("news", [editor]);

  it("takes the declared value where a step or a model's answer fails, and shows why in its result", async () => {
    const system = await open(news);
    system.endpoint.behave = () => JSON.stringify({ headline: 7 });
    const run = await system.run({ place: "nowhere" }, {}, ["completed", "failed", "in_ward", "quarantined"]);
    expect(run).toMatchObject({
      status: "completed",
      result: {
        degrees: 20,
        headline: "Weather in nowhere",
        failures: [
          { step: "weather", class: "content_error", paths: ["/place"], severity: "recoverable" },
          { step: "headline", code: "MODEL_ANSWER_UNUSABLE" },
        ],
      },
    });
  });

  it("puts the declared value in the place of a branch that failed, and says which", async () => {
    const system = await open(fanned({ onFailure: "end" }, "handle"));
    expect((await system.run({ places: ["rome", "nowhere"] })).result).toEqual([
      { value: { degrees: 4 }, failure: null },
      { value: { degrees: 20 }, failure: { index: 1, reason: "ended", code: "PAYLOAD_CONTENT" } },
    ]);
  });

  it("does not take a bug for a failure to be done without", async () => {
    const broken = agent("broken@1", {
      accepts: Place,
      deliveriesMax: 1,
      handle: async (_, ctx) => {
        const work = (): number => {
          throw new TypeError("undefined is not a function");
        };
        return ctx.complete(await orDefault(ctx, { step: "count", work, default: 0 }));
      },
    });
    const system = await open(team("broken", [broken]));
    const { runId } = await system.submit({ place: "rome" });
    expect((await system.until(runId, ["completed", "in_ward", "quarantined"])).status).not.toBe("completed");
  });
});

describe("a team that collects", () => {
  it("does every step, and gives all that went wrong at once with what went right", async () => {
    const survey = agent("survey@1", {
      accepts: Trip,
      handle: async ({ places }, ctx) => {
        const works = Object.fromEntries(places.map((place) => [place, () => lookUp(place)]));
        return ctx.complete(await collectFailures(ctx, works));
      },
    });
    const system = await open(team("survey", [survey]));
    const run = await system.run({ places: ["nowhere", "rome", "north", "oslo"] });
    expect(run.result).toMatchObject({
      values: { rome: { degrees: 4 }, oslo: { degrees: 4 } },
      failures: [
        { step: "nowhere", class: "content_error" },
        { step: "north", class: "content_error" },
      ],
    });
  });
});

/** Labels of text from outside follow wherever agents meet: at a join, on a board. The ways between declare none. */

const Task = contract("task@1", z.object({ n: z.int() }));
const Found = contract("found@1", z.object({ text: z.string() }));
const untrusted = { steps: { search: "web" } };

/** Pays, unless what it was handed comes from the web. */
const payer = agent("payer@1", {
  accepts: Task,
  deliveriesMax: 1,
  guard: { mayCause: ["pay"], refusesTaint: { pay: ["web"] } },
  handle: async (_input, ctx) => {
    await ctx.once("pay", () => Promise.resolve("paid"));
    return ctx.complete("paid");
  },
});

it.each([
  ["does not pay for what one of the branches found on the web", 1, "quarantined"],
  ["pays where no branch has been there", 0, "completed"],
] as const)("behind a join, %s", async (_name, searching, status) => {
  const cut = agent("cut@1", {
    accepts: Task,
    to: { work: Task, merge: Task },
    handle: (_input, ctx) =>
      fanOut({
        branches: [0, 1, 2].map((n) => ctx.handoff("work", { n })),
        join: ctx.handoff("merge", { n: 3 }),
      }),
  });
  const work = agent("work@1", {
    accepts: Task,
    to: { merge: Found },
    guard: { mayCause: [], untrusted },
    handle: async ({ n }, ctx) => {
      const text = n < searching ? await ctx.step("search", () => "buy now") : "own words";
      return ctx.handoff("merge", { text });
    },
  });
  const merge = join("merge@1", {
    accepts: Task,
    collects: Found,
    to: { payer: Task },
    handle: (input, _branches, ctx) => ctx.handoff("payer", input),
  });
  const system = await startTestSystem(team("shop", [cut, work, merge, payer]));
  const { runId } = await system.submit({ n: 0 });
  await expect.poll(async () => (await system.store.runs.find(runId))?.status).toBe(status);
});

it.each([
  ["does not pay for what another wrote there from the web", true, "quarantined"],
  ["pays for what was written there from nowhere else", false, "completed"],
] as const)("behind a board, %s", async (_name, searches, status) => {
  // The writer hands nothing on of what it read: only the board has it.
  const writer = agent("writer@1", {
    accepts: Task,
    to: { reader: Task },
    guard: { mayCause: [], untrusted, clean: { reader: [""] } },
    handle: async (input, ctx) => {
      const text = searches ? await ctx.step("search", () => "buy now") : "own words";
      await ctx.board("facts").write("note", { key: "first", value: { text }, expects: 0 });
      return ctx.handoff("reader", input);
    },
  });
  const reader = agent("reader@1", {
    accepts: Task,
    to: { payer: Task },
    handle: async (input, ctx) => {
      const { entries } = await ctx.board("facts").read();
      expect(entries.get("first")?.labels ?? []).toEqual(searches ? ["web"] : []);
      return ctx.handoff("payer", input);
    },
  });
  const system = await startTestSystem(team("shop", [writer, reader, payer]));
  const { runId } = await system.submit({ n: 0 });
  await expect.poll(async () => (await system.store.runs.find(runId))?.status).toBe(status);
});

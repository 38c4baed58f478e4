import { z } from "zod";
import { contract } from "#shared/contract";
import { SutureError } from "#shared/errors";
import { agent, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { Draw } from "../repair/seeded.ts";

/**
 * What a run of the soak meets on its way. `flaky`: deliveries that fail and are tried again; `broken`: a payload that
 * first aid heals; `refused`: nobody takes it, a person discards it; `hopeless`: the handler always throws.
 */
export const MOODS = ["plain", "flaky", "broken", "refused", "late", "unwanted", "hopeless"] as const;
export type Mood = (typeof MOODS)[number];

const FLAKY_SHARE = 0.5;

/** Notices live this long, and must be gone well before a short soak ends. */
const ACKNOWLEDGE_WITHIN_MS = 5000;

/** An outside system that is sometimes away. */
class FlakyError extends SutureError {
  constructor() {
    super({
      code: "SOAK_FLAKY",
      failureClass: "transient",
      message: "The soak's outside system is away.",
      remedy: "Wait: that is what the soak is for.",
    });
  }
}

/** A chain of three: retries, recorded steps, side effects, acknowledgement and a ward's work all occur in it. */
export function createSoakTeam(): Team {
  const Task = contract("soak.task@1", z.object({ n: z.int(), mood: z.enum(MOODS), text: z.string() }));
  const isAway = drawTroubles();
  const first = agent("first@1", {
    accepts: Task,
    to: { second: Task },
    handle: async (task, ctx) => {
      await ctx.step("read", () => ({ words: task.text.length }));
      if (task.mood === "refused") return ctx.reject("it is not for us");
      if (task.mood === "hopeless") throw new Error("the handler is at fault");
      return ctx.handoff("second", task);
    },
  });
  const second = agent("second@1", {
    accepts: Task,
    to: { third: Task },
    handle: async (task, ctx) => {
      if (task.mood === "flaky" && isAway(task.n)) throw new FlakyError();
      await ctx.once(`effect:${task.n}`, async (key) => ({ key }));
      return ctx.handoff("third", task);
    },
  });
  const third = agent("third@1", { accepts: Task, handle: (task, ctx) => ctx.complete({ n: task.n }) });
  return team("soak", [first, second, third], {
    acknowledgeWithinMs: { "first>second": ACKNOWLEDGE_WITHIN_MS },
  });
}

/** Draws for each delivery of each task, so that every soak meets the same troubles. */
function drawTroubles(): (n: number) => boolean {
  const draws = new Map<number, Draw>();
  return (n) => {
    const draw = draws.get(n) ?? new Draw(n);
    const isAway = draw.next() < FLAKY_SHARE;
    // Kept until the task gets through, so that a soak of a million leaves nothing here.
    if (isAway) draws.set(n, draw);
    else draws.delete(n);
    return isAway;
  };
}

/** The same moods in the same shares, run by run: four of five are plain. */
export function moodOf(n: number): Mood {
  const at = n % 100;
  if (at < 80) return "plain";
  if (at < 88) return "flaky";
  if (at < 92) return "broken";
  if (at < 95) return "refused";
  if (at < 97) return "late";
  return at < 99 ? "unwanted" : "hopeless";
}

import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { Note, readMood } from "../../mood.ts";

const Mood = contract("greeter.mood@1", z.object({ mood: z.enum(["glad", "cross"]) }));
const Answered = contract("greeter.answered@1", z.object({ mood: z.enum(["glad", "cross"]) }));

const read = agent("read-mood@1", {
  accepts: Note,
  to: { "answer-mood": Answered },
  tier: "router",
  answers: [Mood],
  standIns: { mood: readMood },
  handle: async (note, ctx) => {
    const { mood } = await ctx.model("mood", { instructions: "Name the mood.", input: note, answers: Mood });
    return ctx.handoff("answer-mood", { mood });
  },
});

const answer = agent("answer-mood@1", {
  accepts: Answered,
  handle: ({ mood }, ctx) => ctx.complete({ mood, length: mood.length }),
});

/** Two agents and a stand-in that knows one word alone. */
export default team("greeter", [read, answer]);

import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Variant } from "#shared/runtime";
import { Note, readMood } from "../../../mood.ts";

const Mood = contract("greeter.guess@1", z.object({ mood: z.enum(["glad", "cross"]) }));

const guess = agent("guess-mood@1", {
  accepts: Note,
  answers: [Mood],
  standIns: { mood: readMood },
  handle: async (note, ctx) =>
    ctx.complete(await ctx.model("mood", { instructions: "Name the mood.", input: note, answers: Mood })),
});

const always = agent("always-cross@1", {
  accepts: Note,
  handle: (_, ctx) => ctx.complete({ mood: "cross" }),
});

const variants: readonly Variant[] = [
  { name: "guess", description: "One call.", team: team("greeter-guess", [guess]), judged: ["/mood"] },
  {
    name: "always-cross",
    description: "No call at all.",
    team: team("greeter-cross", [always]),
    judged: ["/mood"],
    against: "guess",
  },
];

export default variants;

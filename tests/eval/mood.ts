import { z } from "zod";
import { contract } from "#shared/contract";
import type { StandIn } from "#shared/runtime";

export const Note = contract("greeter.note@1", z.object({ text: z.string().min(1) }));

type Written = z.output<typeof Note.schema>;

/** Takes for glad what says so; irony is beyond it. */
export const readMood: StandIn = ({ text }: Written) => ({ mood: /glad/i.test(text) ? "glad" : "cross" });

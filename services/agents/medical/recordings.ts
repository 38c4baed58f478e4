import { recorded } from "#shared/runtime/tools";
import type { StandIn } from "#shared/runtime";
import { PORTIONS_MAX } from "./contracts.ts";

const BECAUSE_CHARACTERS_MAX = 280;

/** Nobody has read it: a person does. */
const cannotTell: StandIn = () => ({ complaint: null, question: null, emergency: "cannot_tell" });

/** Answers of models in a rehearsal: the recorded answers of the shipped visits, else that they cannot tell. */
const known = recorded(new URL("recordings/medical.jsonl", import.meta.url), {
  collect: cannotTell,
  route: () => ({ decision: { category: "person", parameters: {} } }),
  "follow-up": ({ complaint }: { readonly complaint: string }) => ({
    question: "No model is set: what else should a doctor of the practice know about it?",
    asks_about: "anything else",
    because: complaint.slice(0, BECAUSE_CHARACTERS_MAX),
    urgency: "soon",
  }),
  check: () => ({ says: [] }),
});

export const standIns = {
  ...known,
  /** By the portion that is read. */
  collect: Object.fromEntries(
    Array.from({ length: PORTIONS_MAX }, (_, index) => [`collect/${index + 1}`, known.collect]),
  ),
};

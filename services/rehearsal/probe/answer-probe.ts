import { PROBE } from "#shared/model/probe";
import type { StandIn } from "#shared/runtime";
import type { FindStandIn } from "../stand-ins.ts";

const answerProbe: StandIn = ({ word }: { readonly word: string }) => ({
  verdict_word: word,
  letter_count: word.length,
});

/** Finds the answer to `suture doctor --model`. */
export const findProbe: FindStandIn = (agent, step) =>
  agent === PROBE.agent && step === PROBE.step ? answerProbe : undefined;

import { PROBE } from "#shared/model/probe";
import type { StandIn } from "#shared/runtime";
import type { FindStandIn } from "../stand-ins.ts";

interface ProbeInput {
  readonly word: string;
  /** Set where the answer has to be longer than its bound. */
  readonly behind?: string;
}

const NUMBERS = Array.from({ length: 100 }, (_, index) => index + 1).join(" ");

const answerProbe: StandIn = ({ word, behind }: ProbeInput) => ({
  verdict_word: behind === undefined ? word : `${word} ${NUMBERS}`,
  letter_count: word.length,
});

/** Finds the answer to `suture doctor --model`. */
export const findProbe: FindStandIn = (agent, step) =>
  agent === PROBE.agent && step === PROBE.step ? answerProbe : undefined;

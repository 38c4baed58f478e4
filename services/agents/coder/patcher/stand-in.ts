import type { StandIn } from "#shared/runtime";
import { proposeRepairs } from "../repair/propose-repairs.ts";
import type { FixesInput } from "./answer.ts";

/** Repairs by a catalogue of small changes, where the failure's evidence points to; the verifier decides. */
export const proposeFixes: StandIn = (input: FixesInput) => ({
  fixes: proposeRepairs(input).map(({ repair, diff }) => ({
    title: `${repair.kind.replaceAll("_", " ")}: ${repair.note}`,
    because: `${repair.path}:${repair.line} lies where the failure's evidence points to.`,
    diff,
  })),
});

import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import type { TurnEnd } from "#shared/store";
import { claimCase } from "#shared/ward";
import type { Attempt } from "#shared/ward";
import type { Held } from "../cases/leased-case.ts";
import type { Patient } from "../cases/repair-context.ts";
import { learn } from "../recipes/learn.ts";
import { SURGEON_ID } from "../surgery.ts";
import type { Surgery } from "../surgery.ts";
import { climbOn } from "./ladder.ts";
import type { Verdict } from "./ladder.ts";

/** Longest time for which a case is put aside, in ms; who is called comes earlier. */
const PARKED_MS_MAX = 600_000;

/** How often a case that was neither to have the turn nor to wait for it tries again before it goes back. */
const TRIES_MAX = 3;

/** `yours`: the group's turn is this job's. `parked`: the job waits until it is called. `lost`: it is another's. */
export type Turn = "yours" | "parked" | "lost" | "return";

/** Takes the group's turn to have a model asked, or puts the job aside until there is one, or a recipe. */
export async function takeTurn(surgery: Surgery, held: Held): Promise<Turn> {
  const { turns } = surgery.store.cases;
  const { fingerprint } = held.stored;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await turns.take(fingerprint, held.fence, surgery.limits.callsPerGroup);
    if (taken !== "busy") return taken;
    const parked = await park(surgery, held);
    if (parked !== "free") return parked;
  }
  return "return";
}

/** Puts the job aside, if there is somebody to call it. */
export function park(surgery: Surgery, held: Held): Promise<"parked" | "free" | "lost"> {
  return surgery.store.cases.turns.park(held.stored.fingerprint, held.fence, PARKED_MS_MAX);
}

/** What a model's turn came to; null when the case is somebody else's by now. */
export interface Consulted {
  readonly verdict: Verdict;
  readonly held: Held;
  readonly ended: TurnEnd;
}

/** Claims the case, has the model asked, and learns from a repair that was proved. */
export async function consult(
  surgery: Surgery,
  held: Held,
  on: { readonly patient: Patient; readonly before: readonly Attempt[] },
): Promise<Consulted | null> {
  const { fence, signal } = held;
  crashPoint("W16:after_turn_before_claim");
  const claimed = await claimCase(surgery.store, { from: held.stored, by: SURGEON_ID, fence });
  if (claimed === null) return null;
  crashPoint("W16:after_claim_before_question");
  const patient = { ...on.patient, stored: claimed };
  const verdict = await climbOn(surgery, patient, { before: on.before, signal });
  const ended = await endOf(surgery, patient, verdict);
  return { verdict, held: { ...held, stored: claimed }, ended };
}

async function endOf(surgery: Surgery, patient: Patient, verdict: Verdict): Promise<TurnEnd> {
  if (verdict.kind === "wait") {
    return { kind: "rest", untilMs: now() + verdict.delayMs, why: verdict.reason };
  }
  if (verdict.kind === "unhealed") return { kind: "barren" };
  const { value, recipe } = verdict;
  const isUsable = await learn(surgery, patient, { value, proposed: recipe, by: SURGEON_ID });
  return { kind: isUsable ? "recipe" : "barren" };
}

/** Gives the turn back and calls those who waited for it: all, if a recipe is there, else who comes next. */
export async function endTurn(surgery: Surgery, held: Held, ended: TurnEnd): Promise<void> {
  const { turns } = surgery.store.cases;
  const { fingerprint } = held.stored;
  crashPoint("W17:after_verdict_before_turn_end");
  await turns.end(fingerprint, held.fence, ended);
  crashPoint("W17:after_turn_end_before_call");
  const { callsPerGroup } = surgery.limits;
  await turns.call(fingerprint, ended.kind === "recipe" ? "all" : { turnsAtOnce: callsPerGroup });
}

/** Calls those who wait for a turn that nobody ended: its holder died, or its rest is over. */
export async function callForgotten(surgery: Surgery): Promise<void> {
  const { turns } = surgery.store.cases;
  const waiting = await turns.waiting();
  if (waiting.length > 0) await surgery.shelf.refresh();
  for (const fingerprint of waiting) {
    const isUsable = (await surgery.shelf.of(fingerprint)).length > 0;
    await turns.call(fingerprint, isUsable ? "all" : { turnsAtOnce: surgery.limits.callsPerGroup });
  }
}

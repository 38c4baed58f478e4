import { count, counted, percent } from "./amounts.js";
import { producerName } from "./group-name.js";

/** Why a group needs a person, as the API has it, the most urgent first. */
export const ATTENTIONS = {
  regressed: "came back",
  failing_again: "fails again",
  waiting: "waits for a decision",
  looked_after: "is looked after",
  in_treatment: "in treatment",
  quiet: "nothing open",
};

/** Those that are bad news. */
export const ALARMING = new Set(["regressed", "failing_again"]);

export const LIFECYCLES = {
  open: "Nobody has said that they look after it.",
  acknowledged: "Somebody looks after it.",
  resolved: "Its cause is gone, somebody said.",
  regressed: "It came back after somebody had said that its cause was gone.",
};

/** What is wrong with a group, and what a person can do next. */
export function attentionOf(group) {
  switch (group.attention) {
    case "regressed":
      return {
        what: `Messages came after it was called resolved${since(group)}. The last of them was made by ${producerName(group.regression?.producer ?? group.producer)}.`,
        next: "Reopen or acknowledge it, and look at what that producer changed.",
      };
    case "failing_again":
      return {
        what: `Repairs do not hold: ${count(group.replays)} of ${count(group.sent_on)} messages that were sent on came back.`,
        next: "Look at a case that came back. Where a recipe repairs it wrongly, edit or retire that recipe.",
      };
    case "waiting":
      return {
        what: `${counted(group.quarantined, "case")} wait${group.quarantined === 1 ? "s" : ""} for a decision.`,
        next: "Decide on one case, then apply the same to the whole group below.",
      };
    case "looked_after":
      return {
        what: `Somebody looks after it; ${count(group.quarantined)} of ${counted(group.open, "open case")} wait for a decision.`,
        next: "Call it resolved when its cause is gone.",
      };
    case "in_treatment":
      return { what: `The surgeon is on ${counted(group.open, "case")}.`, next: "Nothing to do yet." };
    default:
      return { what: "Nothing of it is open.", next: "Nothing to do." };
  }
}

/** How often a repair did not hold; null where none was sent on. */
export function replayRate({ sent_on, replays }) {
  return sent_on === 0 ? null : percent(Math.min(1, replays / sent_on));
}

function since({ resolution }) {
  if (resolution === null) return "";
  const from =
    resolution.since === null ? "" : ` from ${resolution.since.name}@${resolution.since.version} on`;
  return ` by ${resolution.by}${from}`;
}

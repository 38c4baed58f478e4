import { counted, percent } from "../../parts/amounts.ts";
import { producerName } from "../../parts/group-name.tsx";
import type { Group } from "./rows.ts";

interface Words {
  readonly what: string;
  readonly next: string;
}

/** What is wrong with a group, and what a person can do next. */
export function attentionInWords(group: Group): Words {
  const { quarantined, open, replays, sent_on: sentOn, resolution, regression, producer } = group;
  switch (group.attention) {
    case "regressed": {
      const since = resolution?.since ?? null;
      const from = since === null ? "" : ` from ${since.name}@${since.version} on`;
      const by = resolution === null ? "" : ` by ${resolution.by}`;
      return {
        what: `Messages came after it was called resolved${by}${from}. ${producerName(regression?.producer ?? producer)} made the last of them.`,
        next: "Look at what that producer changed; then acknowledge or reopen the group.",
      };
    }
    case "failing_again":
      return {
        what: `Repairs do not hold: ${replays} of ${counted(sentOn, "message")} that were sent on came back.`,
        next: "Look at a case that came back. Where a recipe repairs it wrongly, edit or retire that recipe.",
      };
    case "waiting":
      return {
        what: `${counted(quarantined, "case")} ${quarantined === 1 ? "waits" : "wait"} for a decision.`,
        next: "Decide one case, then apply the same to all.",
      };
    case "looked_after":
      return {
        what: `Somebody looks after it; ${quarantined} of ${counted(open, "open case")} wait for a decision.`,
        next: "Resolve it when its cause is gone.",
      };
    case "in_treatment":
      return { what: `The surgeon is on ${counted(open, "case")}.`, next: "Nothing to do yet." };
    default:
      return { what: "Nothing of it is open.", next: "Nothing to do." };
  }
}

/** How often a repair did not hold, in percent; null where none was sent on. */
export function replayRate({ sent_on, replays }: Pick<Group, "sent_on" | "replays">): string | null {
  return sent_on === 0 ? null : percent(Math.min(1, replays / sent_on));
}

import type { ReactNode } from "react";
import styles from "./parts.module.css";

export type Tone = "quiet" | "good" | "warn" | "bad" | "accent";

export function Badge({ tone = "quiet", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  quarantined: "bad",
  failed: "bad",
  rejected: "bad",
  unreadable: "bad",
  regressed: "bad",
  failing_again: "bad",
  died_again: "bad",
  retry: "warn",
  postponed: "warn",
  cancel_requested: "warn",
  expired: "warn",
  waiting: "warn",
  admitted: "warn",
  operation: "accent",
  in_ward: "accent",
  in_surgery: "accent",
  running: "accent",
  in_treatment: "accent",
  looked_after: "accent",
  went_on: "good",
  healed: "good",
  completed: "good",
  discharged: "good",
  released: "good",
  trial: "accent",
  proposed: "warn",
  trusted: "good",
};

/** A status or an event of a run, a case, a group or a recipe, in words and in its colour. */
export function Status({ of }: { readonly of: string }) {
  return <Badge tone={TONES[of] ?? "quiet"}>{of.replaceAll("_", " ")}</Badge>;
}

import type { ReactNode } from "react";
import styles from "./parts.module.css";

const TONES = ["quiet", "good", "warn", "bad", "accent"] as const;
export type Tone = (typeof TONES)[number];

export function Badge({ tone = "quiet", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

const STATUSES: Readonly<Record<string, readonly string[]>> = {
  bad: ["quarantined", "failed", "rejected", "unreadable", "regressed", "failing_again", "died_again"],
  warn: ["retry", "postponed", "cancel_requested", "expired", "waiting", "admitted", "proposed"],
  accent: ["operation", "in_ward", "in_surgery", "running", "in_treatment", "looked_after", "trial"],
  good: ["went_on", "healed", "completed", "discharged", "released", "trusted"],
};

/** A status of a run, a case, a group or a recipe, in words and in its colour. */
export function Status({ of }: { readonly of: string }) {
  const tone = TONES.find((one) => STATUSES[one]?.includes(of));
  return <Badge tone={tone ?? "quiet"}>{of.replaceAll("_", " ")}</Badge>;
}

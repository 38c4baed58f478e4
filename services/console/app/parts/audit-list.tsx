import { words } from "./amounts.ts";
import { visible } from "./visible.ts";
import { When } from "./when.tsx";
import styles from "./parts.module.css";

interface Entry {
  readonly at: string;
  readonly by: string;
  readonly action: string;
  readonly why?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Who did what, when and why, newest first. */
export function AuditList({ of, empty }: { readonly of: readonly Entry[]; readonly empty: string }) {
  if (of.length === 0) return <p className={styles.quiet}>{empty}</p>;
  return (
    <ol className={styles.log}>
      {of.map(({ at, by, action, why = "", detail: { from, to, since } = {} }) => (
        <li key={`${at} ${by} ${action}`}>
          <When at={at} />
          <span>
            <b>{visible(by)}</b> {words(action)}
            {typeof from === "string" && ` ${words(from)} → ${words(String(to))}`}
            {typeof since === "string" && ` from ${since} on`}
            {why !== "" && <q>{visible(why)}</q>}
          </span>
        </li>
      ))}
    </ol>
  );
}

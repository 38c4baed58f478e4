import type { ReactNode } from "react";
import styles from "./parts.module.css";

/** Facts with their names. What is null or false is left out. */
export function Facts({ of }: { readonly of: readonly (readonly [string, ReactNode] | null | false)[] }) {
  return (
    <dl className={styles.facts}>
      {of
        .filter((fact) => fact !== null && fact !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

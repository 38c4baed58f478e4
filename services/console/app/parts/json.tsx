import { visible } from "./visible.ts";
import styles from "./parts.module.css";

/** A value as JSON text, or a text as it is; it scrolls within its box. */
export function Json({ of, label }: { readonly of: unknown; readonly label: string }) {
  const text = typeof of === "string" ? of : JSON.stringify(of, null, 2);
  return (
    <pre className={styles.json} tabIndex={0} role="region" aria-label={label}>
      {visible(text ?? "")}
    </pre>
  );
}

import { useState } from "react";
import styles from "./parts.module.css";

const SHOWN_MS = 1500;

/** An id, shortened in the middle, and a button that copies all of it. */
export function Id({ of, chars = 13 }: { readonly of: string; readonly chars?: number }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(of);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <span className={styles.id}>
      <code title={of}>{of.length > chars ? `${of.slice(0, chars - 5)}…${of.slice(-4)}` : of}</code>
      <button type="button" aria-label={`Copy ${of}`} onClick={() => void copy()}>
        {isCopied ? "copied" : "copy"}
      </button>
    </span>
  );
}

import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { visible } from "./visible.ts";
import styles from "./parts.module.css";

/** Names what is shown in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => void (document.title = `${title} · Suture`), [title]);
}

interface PartProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page below the rail; its title stands in the browser's tab too. @param actions - Beside the title. */
export function Page({ title, actions, children }: PartProps & { readonly actions?: ReactNode }) {
  useTitle(title);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{title}</h1>
        {actions}
      </div>
      {children}
    </div>
  );
}

/** A part of a page with a heading. */
export function Panel({ title, aside, children }: PartProps & { readonly aside?: ReactNode }) {
  return (
    <section className={styles.panel} aria-label={title}>
      <div className={styles.panelHead}>
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

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

/** A value as JSON text, or a text as it is; it scrolls within its box. */
export function Json({ of, label }: { readonly of: unknown; readonly label: string }) {
  const text = typeof of === "string" ? of : JSON.stringify(of, null, 2);
  return (
    <pre className={styles.json} tabIndex={0} role="region" aria-label={label}>
      {visible(text ?? "")}
    </pre>
  );
}

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

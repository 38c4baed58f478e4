import { useEffect } from "react";
import type { ReactNode } from "react";
import styles from "./parts.module.css";

interface PageProps {
  /** Name of the page, which the browser's tab shows too. */
  readonly title: string;
  /** Beside the title: what can be done here. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Names what is shown in the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => void (document.title = `${title} · Suture`), [title]);
}

/** A page below the rail. */
export function Page({ title, actions, children }: PageProps) {
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
export function Panel({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
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

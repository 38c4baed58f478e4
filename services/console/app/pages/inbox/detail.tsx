import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./inbox.module.css";

interface DetailProps {
  readonly head: ReactNode;
  readonly bar: ReactNode;
  readonly children: ReactNode;
}

/** The right half of the inbox: a head, what there is to see, and below it what can be done, always in sight. */
export function Detail({ head, bar, children }: DetailProps) {
  return (
    <>
      <div className={styles.scroll}>
        <header className={styles.head}>
          <Link to="/inbox" search className={styles.back}>
            ← Inbox
          </Link>
          {head}
        </header>
        {children}
      </div>
      {bar}
    </>
  );
}

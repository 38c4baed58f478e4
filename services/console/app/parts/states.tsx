import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Problem, queries } from "../data/api.ts";
import { Button } from "./button.tsx";
import { Page } from "./page.tsx";
import styles from "./parts.module.css";

/** A list with nothing in it. @param children - What to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.state}>
      <p className={styles.stateTitle}>{title}</p>
      {children}
    </div>
  );
}

/** No such page. */
export function Missing() {
  return (
    <Page title="There is no such page">
      <p>
        <Link to="/">Home</Link> says what needs you.
      </p>
    </Page>
  );
}

/** What was asked for could not be read, and why. The button reads again all that failed. */
export function Failed({ error }: { readonly error: unknown }) {
  const problem = error instanceof Problem ? error : null;
  const retry = () => void queries.refetchQueries({ predicate: ({ state }) => state.status === "error" });
  return (
    <div className={styles.state} role="alert">
      <p className={styles.stateTitle}>
        {problem?.status === 404 ? "There is no such thing." : "This could not be read."}
      </p>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <Faults faults={problem?.faults ?? []} />
      {problem?.status !== 404 && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** Places of what was sent, with what is wrong there. */
export function Faults({ faults }: { readonly faults: Problem["faults"] }) {
  if (faults.length === 0) return null;
  return (
    <ul className={styles.faults}>
      {faults.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <code>{path || "/"}</code> {message}
        </li>
      ))}
    </ul>
  );
}

interface LoadedProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: unknown };
  readonly children: (data: Data) => ReactNode;
}

/** Shows what a query has: nothing yet, its problem, or its answer. */
export function Loaded<Data>({ query: { data, error }, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  if (error !== null) return <Failed error={error} />;
  return <div className={styles.loading} aria-busy="true" aria-label="Loading" />;
}

import { useEffect, useState } from "react";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { visible } from "#shared/json";
import { Problem, queries } from "../data/api.ts";
import { shared } from "../data/shared.ts";
import { words } from "./text.ts";
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

/** Facts by their names, in order. What is null or false is left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ReactNode>> }) {
  const known = Object.entries(of).filter(([, value]) => value !== null && value !== false);
  return (
    <dl className={styles.facts}>
      {known.map(([name, value]) => (
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
  return (
    <span className={styles.id}>
      <code title={of}>{of.length > chars ? `${of.slice(0, chars - 5)}…${of.slice(-4)}` : of}</code>
      <Copy of={of} />
    </span>
  );
}

/** A button that copies a text. @param label - Default: it stands beside the text, and is small. */
export function Copy({ of, label }: { readonly of: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(of);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const shown = label === undefined ? { "aria-label": `Copy ${of}` } : { className: styles.button };
  return (
    <button type="button" {...shown} onClick={() => void copy()}>
      {isCopied ? "copied" : (label ?? "copy")}
    </button>
  );
}

const TONES = ["quiet", "good", "warn", "bad", "accent"] as const;
export type Tone = (typeof TONES)[number];

export function Badge({ tone = "quiet", ...more }: ComponentProps<"span"> & { readonly tone?: Tone }) {
  return <span className={styles.badge} data-tone={tone} {...more} />;
}

const STATUSES: Readonly<Record<string, readonly string[]>> = {
  bad: ["quarantined", "failed", "rejected", "unreadable", "regressed", "failing_again", "died_again"],
  warn: ["retry", "postponed", "cancel_requested", "expired", "waiting", "admitted", "proposed"],
  accent: ["operation", "in_ward", "in_surgery", "running", "in_treatment", "looked_after", "trial"],
  good: ["went_on", "healed", "completed", "discharged", "released", "trusted"],
};

/** A status of a run, a case, a group or a recipe, in words and in its colour. @param title - Its meaning. */
export function Status({ of, title }: { readonly of: string; readonly title?: string | undefined }) {
  const tone = TONES.find((one) => STATUSES[one]?.includes(of)) ?? "quiet";
  return <Badge {...{ tone, title }}>{words(of)}</Badge>;
}

interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  /** `main` at most once in view. Default: plain. */
  readonly tone?: "plain" | "main" | "bad";
}

export function Button({ tone = "plain", type = "button", ...more }: ButtonProps) {
  return <button type={type} className={styles.button} data-tone={tone} {...more} />;
}

const EVERY_MS = 5000;
const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** A duration in the largest unit that it fills, as "4 min". @param ms - Below 0 counts as 0. */
export function spanOf(ms: number): string {
  const [unit, length] = UNITS.find(([, one]) => ms >= one) ?? ["s", 1000];
  return `${Math.floor(Math.max(0, ms) / length)} ${unit}`;
}

const now = shared(Date.now());
setInterval(() => now.set(Date.now()), EVERY_MS);
/** The time now, in ms since the epoch, anew every five seconds. */
export const useNow = now.use;

/** The time since something was, or until it is, and who did it; the exact time on hover. */
export function When({ at, by = "" }: { readonly at: number | string | null; readonly by?: string }) {
  const nowMs = useNow();
  if (at === null) return <span>–</span>;
  const date = new Date(at);
  const age = nowMs - date.getTime();
  return (
    <>
      <time dateTime={date.toISOString()} title={date.toLocaleString(undefined, { timeZoneName: "short" })}>
        {age <= -EVERY_MS ? `in ${spanOf(-age)}` : `${spanOf(age)} ago`}
      </time>
      {by !== "" && ` by ${visible(by)}`}
    </>
  );
}

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

/** Says that something could not be read, and the reason. The button reads again all that failed. */
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
  /** A query of another part, which would move this one if it came later. Default: none. */
  readonly beside?: { readonly isPending: boolean };
  readonly children: (data: Data) => ReactNode;
}

/** Shows what a query has: nothing yet, its problem, or its answer. */
export function Loaded<Data>({ query: { data, error }, beside, children }: LoadedProps<Data>) {
  if (data !== undefined && beside?.isPending !== true) return children(data);
  if (error !== null) return <Failed error={error} />;
  return <div className={styles.loading} aria-busy="true" aria-label="Loading" />;
}

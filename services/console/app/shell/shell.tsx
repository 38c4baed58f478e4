import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { $api, api, LOGIN, useSessionState } from "../data/api.ts";
import { followNews, useLiveness } from "../data/live.ts";
import { useCommands } from "../parts/commands.ts";
import { When } from "../parts/page.tsx";
import { Overlay } from "./overlay.tsx";
import styles from "./shell.module.css";

/** The pages, in the order of how often somebody needs them. */
const PAGES = [
  { to: "/", name: "Home", key: "h" },
  { to: "/inbox", name: "Inbox", key: "i" },
  { to: "/runs", name: "Runs", key: "r" },
  { to: "/agents", name: "Agents", key: "a" },
  { to: "/flow", name: "Flow", key: "f" },
  { to: "/recipes", name: "Recipes", key: "e" },
  { to: "/cost", name: "Cost", key: "c" },
  { to: "/queues", name: "Queues", key: "q" },
  { to: "/audit", name: "Audit", key: "u" },
  { to: "/settings", name: "Settings", key: "s" },
] as const;

/** Everything around a page: rail, top bar, banners, and what is found by Ctrl K. */
export function Shell() {
  const [isFinding, setFinding] = useState(false);
  const { data: session } = $api.useQuery("get", "/v1/session");
  const liveness = useLiveness();
  const navigate = useNavigate();
  useCommands([
    ...PAGES.map(({ to, name, key }) => ({
      name: `Go to ${name}`,
      key: `g ${key}`,
      run: () => void navigate({ to }),
    })),
    { name: "Show all keys", key: "?", run: () => setFinding(true) },
    { name: "Find or do", key: "Ctrl K", run: () => setFinding(true) },
  ]);
  useEffect(followNews, []);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <header className={styles.top}>
        <span className={styles.name}>Suture</span>
        <button type="button" className={styles.find} onClick={() => setFinding(true)}>
          <span>Find an id, an order, a customer, a command</span>
          <kbd>Ctrl K</kbd>
        </button>
        <span className={styles.liveness} data-state={liveness} role="status">
          {liveness}
        </span>
        <button type="button" className={styles.who} popoverTarget="who">
          {session?.name ?? "…"}
        </button>
        <div id="who" popover="auto" className={styles.popup}>
          <p>{session?.role}</p>
          <button type="button" onClick={() => void logOut()}>
            Log out
          </button>
        </div>
      </header>
      <Rail />
      <div className={styles.body}>
        <Banners />
        <main id="page" className={styles.page} tabIndex={-1}>
          <Outlet />
        </main>
        {session?.is_rehearsal === true && (
          <footer className={styles.rehearsal}>
            <b>Rehearsal.</b> A bundled stand-in answers in place of a model. Nothing here is a model’s
            answer.
          </footer>
        )}
      </div>
      <Overlay isOpen={isFinding} setOpen={setFinding} />
    </div>
  );
}

/** Pages on the left, on a phone above the page, with what waits in the inbox. */
function Rail() {
  const { data } = $api.useQuery("get", "/v1/overview");
  const waiting = data?.ward.quarantined ?? 0;
  return (
    <nav className={styles.rail} aria-label="Pages">
      {PAGES.map(({ to, name }) => (
        <Link key={to} to={to} className={styles.place} activeOptions={{ exact: to === "/" }}>
          {name}
          {name === "Inbox" && waiting > 0 && <b title="cases that wait for a person">{waiting}</b>}
        </Link>
      ))}
    </nav>
  );
}

async function logOut(): Promise<void> {
  await api.DELETE("/v1/session").catch(() => undefined);
  location.assign(LOGIN);
}

/** Warnings about everything on the page: the session ended, or no news comes. */
function Banners() {
  const liveness = useLiveness();
  const isEnded = useSessionState() === "ended";
  const { dataUpdatedAt: at } = $api.useQuery("get", "/v1/overview");
  return (
    <div className={styles.banners} role="alert">
      {isEnded && (
        <p data-tone="bad">
          <b>Your session has ended.</b> Nothing you do is taken.{" "}
          <a href={LOGIN} target="_blank" rel="noopener">
            Log in again
          </a>{" "}
          in a new tab: what you typed here stays, and you can go on with it.
        </p>
      )}
      {(liveness === "away" || liveness === "silent") && (
        <p data-tone="bad">
          <b>{liveness === "away" ? "The console does not answer." : "The console has no news."}</b> What you
          see is of <When at={at || null} />. The services work without it: look whether{" "}
          {liveness === "away" ? "its process" : "its Redis"} runs. This page connects again by itself.
        </p>
      )}
    </div>
  );
}

import { Link } from "@tanstack/react-router";
import { $api } from "../data/api.ts";
import styles from "./shell.module.css";

/** The pages, in the order of how often somebody needs them. */
export const PAGES = [
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

/** Pages on the left, with what waits in the inbox. */
export function Rail({ onChosen }: { readonly onChosen: () => void }) {
  const { data } = $api.useQuery("get", "/v1/overview");
  const waiting = data?.ward.quarantined ?? 0;
  return (
    <nav className={styles.rail} aria-label="Pages">
      {PAGES.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          className={styles.place}
          activeOptions={{ exact: to === "/" }}
          onClick={onChosen}
        >
          {name}
          {name === "Inbox" && waiting > 0 && <b title="cases that wait for a person">{waiting}</b>}
        </Link>
      ))}
    </nav>
  );
}

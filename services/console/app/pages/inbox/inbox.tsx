import { Outlet, useParams } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import { Empty } from "../../parts/states.tsx";
import { useTitle } from "../../parts/page.tsx";
import { List } from "./list.tsx";
import styles from "./inbox.module.css";

/** Groups and cases at the left, what is chosen of them at the right; on a phone one of the two. */
export function Inbox() {
  const { fingerprint, caseId } = useParams({ strict: false });
  const isChosen = fingerprint !== undefined || caseId !== undefined;
  return (
    <div className={styles.inbox} data-chosen={isChosen}>
      {!isChosen && <h1 className={styles.unseen}>Inbox</h1>}
      <List />
      <div className={styles.detail}>
        <Outlet />
      </div>
    </div>
  );
}

/** What stands at the right before anything is chosen. */
export function Hint() {
  useTitle("Inbox");
  const { data } = $api.useQuery("get", "/v1/overview");
  return (
    <Empty title={data?.ward.quarantined === 0 ? "No case waits for a person." : "Choose a group or a case."}>
      <p className={styles.keys}>
        <kbd>j</kbd> <kbd>k</kbd> walk the list, <kbd>c</kbd> opens a group’s first case, <kbd>e</kbd> edits
        it, <kbd>o</kbd> has the ladder try again, <kbd>a</kbd> approves, <kbd>x</kbd> discards,{" "}
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends, <kbd>/</kbd> finds.
      </p>
    </Empty>
  );
}

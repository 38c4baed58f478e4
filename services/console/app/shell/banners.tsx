import { $api } from "../data/api.ts";
import { useLiveness } from "../data/live.ts";
import { LOGIN, useSessionState } from "../data/session.ts";
import { When } from "../parts/when.tsx";
import styles from "./shell.module.css";

/** What changes the meaning of everything on the page: no news, no session, no model. */
export function Banners() {
  const { liveness, newsAtMs } = useLiveness();
  const isEnded = useSessionState() === "ended";
  const { data } = $api.useQuery("get", "/v1/overview");
  const since =
    newsAtMs === null ? (
      "Nothing could be read yet."
    ) : (
      <>
        What you see is of <When at={newsAtMs} />.
      </>
    );
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
      {liveness === "away" && (
        <p data-tone="bad">
          <b>The console does not answer.</b> {since} Nothing is lost: the services work without it. Look
          whether its process runs; this page connects again by itself.
        </p>
      )}
      {liveness === "silent" && (
        <p data-tone="bad">
          <b>The console has no news.</b> {since} Most likely it cannot reach its Redis: look whether that
          runs.
        </p>
      )}
      {data?.is_rehearsal === true && (
        <p data-tone="warn">
          <b>Rehearsal.</b> A bundled stand-in answers in place of a model. Nothing here is a model’s answer.
        </p>
      )}
    </div>
  );
}

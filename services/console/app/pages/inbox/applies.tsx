import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { visible } from "#shared/json";
import { $api, api, BY_OFFSET, LIMIT, useRole } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { addressOf, isAttached, shortId } from "../../parts/links.tsx";
import { Button, Failed, Panel, spanOf, Status, When } from "../../parts/page.tsx";
import { AskWhy } from "../../parts/reason-form.tsx";
import { counted, money, percent, whole, words } from "../../parts/text.ts";
import styles from "./inbox.module.css";

type Apply = Answer<"/v1/ward/applies">["applies"][number];

/** Progress of work on a group is in no news, in ms. */
const PROGRESS_MS = 1000;
const COUNTS = ["decided", "refused", "under_way", "went_on", "died_again", "left_behind"] as const;

const isBusy = ({ state, under_way: underWay }: Apply) =>
  underWay > 0 || ["dry_run", "canary", "running"].includes(state);

/** Number of cases that it decides on, and of those still to be decided. */
function extentOf(one: Apply): { readonly length: number; readonly left: number } {
  const length = one.only_passing && one.checked >= one.total ? one.would_pass : one.total;
  return { length, left: Math.max(0, length - one.decided - one.refused) };
}

/** Says what the model calls of the rest would cost. */
function costOf({ forecast: { likely_usd: likely, most_usd: most } }: Apply): string {
  if (most === 0) return "It asks no model, and costs nothing.";
  const said = likely === null ? "what it will be is not known yet" : `likely ${money(likely)}`;
  return `Those that would not pass go to a model: at most ${money(most)}, ${said}.`;
}

/** Work on a whole group, the newest first. The server keeps its progress: the page may be closed and opened again. */
export function Applies({ fingerprint }: { readonly fingerprint: string }) {
  const { data } = $api.useQuery(
    "get",
    "/v1/ward/applies",
    { params: { query: { fingerprint } } },
    { refetchInterval: ({ state }) => (state.data?.applies.some(isBusy) === true ? PROGRESS_MS : false) },
  );
  const applies = data?.applies ?? [];
  // An undo that was stopped can be done again for the rest.
  const undone = new Set(applies.filter(({ state }) => state !== "stopped").map(({ undoes }) => undoes));
  if (applies.length === 0) return null;
  return (
    <Panel title="Work on the whole group">
      {applies.map((one) => (
        <Work key={one.batch_id} one={one} isUndone={undone.has(one.batch_id)} />
      ))}
    </Panel>
  );
}

interface WorkProps {
  readonly one: Apply;
  readonly isUndone: boolean;
}

function Work({ one, isUndone }: WorkProps) {
  const role = useRole();
  const isCounting = one.state === "dry_run" || one.state === "planned";
  const { length, left } = extentOf(one);
  const extent = isCounting ? one.total : length;
  const time = spanOf(Math.max(1000, (left / one.rate_per_second) * 1000));
  const rest = left > 0 && `${whole(left)} to go: about ${time} at ${one.rate_per_second} a second.`;
  const share = extent === 0 ? 1 : (isCounting ? one.checked : one.decided + one.refused) / extent;
  return (
    <article className={styles.work} aria-label={`${one.decision} by ${one.by}`}>
      <p>
        <b>
          {one.decision}: {counted(one.total, "case")}
        </b>{" "}
        <span className={styles.quiet}>
          by {visible(one.by)} <When at={one.created_ms} />: {visible(one.why)}
        </span>
      </p>
      <progress max={1} value={share} aria-label={isCounting ? "Looked at in the dry run" : "Decided"} />
      <p role="status" className={one.died_again > 0 ? styles.bad : ""}>
        <Status of={one.state === "look" ? "waits" : one.state} /> {percent(share)}.{" "}
        {isUndone ? "Undone." : rest}
      </p>
      <p className={styles.quiet}>
        {whole(one.would_pass)} of {whole(one.checked)} would pass
        {one.only_passing && one.would_pass < one.checked && " (others are left alone)"};{" "}
        {COUNTS.map((name) => `${whole(one[name])} ${words(name)}`).join(", ")}
      </p>
      {isCounting && one.decision === "operate" && (
        <p className={one.forecast.most_usd > 0 ? styles.bad : styles.quiet}>{costOf(one)}</p>
      )}
      {one.problem !== null && <p className={styles.bad}>{visible(one.problem)}</p>}
      {(one.examples ?? []).map(({ case_id: id, changes }) => (
        <code key={id}>
          {id}: {changes.join(", ")}
        </code>
      ))}
      {role !== "viewer" && <Steps one={one} isUndone={isUndone} />}
      <Cases batchId={one.batch_id} />
    </article>
  );
}

/** Start, pause, go on, stop; and, of what can be undone, the undo. */
function Steps({ one, isUndone }: WorkProps) {
  const { batch_id: id, state, canary, decided, decision } = one;
  const { length, left } = extentOf(one);
  const params = { path: { batch_id: id } };
  const { mutate, isPending, error } = useMutation({
    mutationFn: (step: "start" | "pause" | "stop") =>
      api.POST(`/v1/ward/applies/{batch_id}/${step}` as const, { params, body: { why: "" } }),
  });
  const undo = (why: string) => api.POST("/v1/ward/applies/{batch_id}/undo", { params, body: { why } });
  const first = canary > 0 ? ` with the first ${whole(Math.min(canary, length))}` : "";
  const start = state === "planned" ? `Start${first}` : `Go on with the other ${whole(left)}`;
  const steps = [
    { step: "start", title: start, tone: "main", states: ["planned", "look"] },
    { step: "pause", title: "Pause", tone: "plain", states: ["canary", "running"] },
    { step: "stop", title: "Stop", tone: "bad", states: ["dry_run", "planned", "canary", "look", "running"] },
  ] as const;
  const canUndo = decision === "discard" || (isAttached(id) && decision !== "restore");
  const undoes = isAttached(id) ? "Undo the edits of those that failed again" : "Undo this discard";
  return (
    <div className={styles.buttons}>
      {steps
        .filter(({ states }) => states.some((when) => when === state))
        .map(({ step, title, tone }) => (
          <Button key={step} tone={tone} disabled={isPending} onClick={() => mutate(step)}>
            {title}
          </Button>
        ))}
      {canUndo && decided > 0 && !isUndone && (
        <AskWhy title={undoes} send={undo}>
          Cases wait for a decision again, as far as their runs go on.
        </AskWhy>
      )}
      <p role="alert" className={styles.bad}>
        {error?.message}
      </p>
    </div>
  );
}

/** The outcome of each case of one piece of work, asked for when it is opened. */
function Cases({ batchId }: { readonly batchId: string }) {
  const [isOpen, setOpen] = useState(false);
  const query = $api.useInfiniteQuery(
    "get",
    "/v1/ward/applies/{batch_id}/cases",
    { params: { path: { batch_id: batchId }, query: { limit: LIMIT } } },
    { enabled: isOpen, ...BY_OFFSET },
  );
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What became of each case</summary>
      <ol className={styles.lines}>
        {query.data?.pages
          .flatMap(({ cases }) => cases)
          .map(({ case_id: id, status, result }) => (
            <li key={id}>
              <Link {...addressOf.case(id)} search>
                <code>{shortId(id)}</code>
              </Link>
              <Status of={result} /> now {words(status ?? "kept no more")}
            </li>
          ))}
      </ol>
      {query.error && <Failed error={query.error} />}
      {query.hasNextPage && <Button onClick={() => void query.fetchNextPage()}>Show more</Button>}
    </details>
  );
}

import { useState } from "react";
import { $api, api, readAgain } from "../../data/api.ts";
import type { paths } from "#shared/api/client";
import { counted, percent } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { isAttached } from "../../parts/group-name.tsx";
import { Panel } from "../../parts/page.tsx";
import { ReasonForm } from "../../parts/reason-form.tsx";
import { visible } from "../../parts/visible.ts";
import { spanOf, When } from "../../parts/when.tsx";
import { ApplyCases } from "./apply-cases.tsx";
import styles from "./inbox.module.css";

type Apply =
  paths["/v1/ward/applies"]["get"]["responses"][200]["content"]["application/json"]["applies"][number];

const BUSY = new Set(["dry_run", "canary", "running"]);
/** Progress of work on a group is in no news, in ms. */
const PROGRESS_MS = 1000;

/** How many cases it decides on: the others are left alone. */
const lengthOf = ({ only_passing: isOnly, checked, would_pass: passing, total }: Apply): number =>
  isOnly && checked >= total ? passing : total;

const isBusy = (one: Apply): boolean => BUSY.has(one.state) || one.under_way > 0;

/** Work on a whole group, the newest first. The server keeps its progress: the page may be closed and opened again. */
export function Applies({ fingerprint }: { readonly fingerprint: string }) {
  const { data } = $api.useQuery(
    "get",
    "/v1/ward/applies",
    { params: { query: { fingerprint } } },
    { refetchInterval: ({ state }) => (state.data?.applies.some(isBusy) === true ? PROGRESS_MS : false) },
  );
  const applies = data?.applies ?? [];
  // What an undo that was stopped has not restored can be undone again.
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

function Work({ one, isUndone }: { readonly one: Apply; readonly isUndone: boolean }) {
  const { data: session } = $api.useQuery("get", "/v1/session");
  const isCounting = one.state === "dry_run" || one.state === "planned";
  const done = isCounting ? one.checked : one.decided + one.refused;
  const whole = isCounting ? one.total : lengthOf(one);
  const share = whole === 0 ? 1 : done / whole;
  const examples = (one.examples ?? []).filter(({ changes }) => changes.length > 0);
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
        {stateInWords(one)} <span className={styles.quiet}>({percent(share)})</span>
      </p>
      <Facts of={numbersOf(one, isUndone)} />
      {one.problem !== null && <p className={styles.bad}>{visible(one.problem)}</p>}
      {examples.length > 0 && (
        <ul className={styles.faults}>
          {examples.map(({ case_id: id, changes }) => (
            <li key={id}>
              <code>
                {id}: {changes.join(", ")}
              </code>
            </li>
          ))}
        </ul>
      )}
      {session !== undefined && session.role !== "viewer" && <Steps one={one} isUndone={isUndone} />}
      <ApplyCases batchId={one.batch_id} isUndo={one.decision === "restore"} />
    </article>
  );
}

/** Start, go on, stop; and, of what can be undone, the undo. */
function Steps({ one, isUndone }: { readonly one: Apply; readonly isUndone: boolean }) {
  const { batch_id: id, state, canary, decided, refused, decision } = one;
  const length = lengthOf(one);
  const [problem, setProblem] = useState("");
  const [isUndoing, setUndoing] = useState(false);
  const [why, setWhy] = useState("");
  const params = { path: { batch_id: id } };
  const carryOut = async (step: Promise<unknown>): Promise<void> => {
    setProblem("");
    await step.catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    await readAgain();
  };
  const start = () => carryOut(api.POST("/v1/ward/applies/{batch_id}/start", { params, body: { why: "" } }));
  const stop = () => carryOut(api.POST("/v1/ward/applies/{batch_id}/stop", { params, body: { why: "" } }));
  const undo = async (said: string): Promise<void> => {
    await api.POST("/v1/ward/applies/{batch_id}/undo", { params, body: { why: said } });
    setUndoing(false);
    await readAgain();
  };
  const canUndo =
    decided > 0 && !isUndone && (decision === "discard" || (isAttached(id) && decision !== "restore"));
  const undoTitle = isAttached(id) ? "Undo the edits of those that failed again" : "Undo this discard";
  return (
    <div className={styles.buttons}>
      {state === "planned" && (
        <Button tone="main" onClick={() => void start()}>
          {canary > 0 ? `Start with the first ${Math.min(canary, length).toLocaleString("en")}` : "Start"}
        </Button>
      )}
      {state === "look" && (
        <Button tone="main" onClick={() => void start()}>
          Go on with the other {(length - decided - refused).toLocaleString("en")}
        </Button>
      )}
      {state !== "done" && state !== "stopped" && (
        <Button tone="bad" onClick={() => void stop()}>
          Stop
        </Button>
      )}
      {canUndo && !isUndoing && <Button onClick={() => setUndoing(true)}>{undoTitle}</Button>}
      {canUndo && isUndoing && (
        <ReasonForm
          title={undoTitle}
          why={why}
          onWhy={setWhy}
          send={undo}
          onCancel={() => setUndoing(false)}
        />
      )}
      {problem !== "" && (
        <p role="alert" className={styles.bad}>
          {problem}
        </p>
      )}
    </div>
  );
}

function numbersOf(one: Apply, isUndone: boolean): readonly (readonly [string, string] | false)[] {
  const isUndo = one.decision === "restore";
  const isSent = !isUndo && one.decision !== "discard";
  const count = (number: number): string => number.toLocaleString("en");
  return [
    !isUndo && ["Dry run", `${count(one.would_pass)} of ${count(one.checked)} would pass`],
    ["Decided", count(one.decided)],
    ["Refused", count(one.refused)],
    ["Under way", count(one.under_way)],
    isSent && ["Went on", count(one.went_on)],
    isSent && ["Failed again", count(one.died_again)],
    [isUndo ? "Restored" : isSent ? "Not sent on" : "Discarded", count(one.left_behind)],
    isUndone && ["Undone", "by work that is listed here"],
  ];
}

/** Where it stands, and what comes next. */
function stateInWords(one: Apply): string {
  const left = Math.max(0, lengthOf(one) - one.decided - one.refused);
  const rest = left.toLocaleString("en");
  const time = `about ${spanOf(Math.max(1000, (left / one.rate_per_second) * 1000))} at ${one.rate_per_second} a second`;
  const others = one.only_passing && one.would_pass < one.total ? " The others are left alone." : "";
  const came = one.decision === "discard" ? "" : `: ${one.went_on} went on, ${one.died_again} failed again`;
  const isWorking = one.under_way > 0;
  switch (one.state) {
    case "dry_run":
      return "Dry run: counting how many would pass. Nothing is touched.";
    case "planned":
      return `Planned: ${one.would_pass.toLocaleString("en")} of ${one.total.toLocaleString("en")} would pass.${others} Nothing is touched yet: start it, or stop it.`;
    case "canary":
      return `The first ${one.canary} are at work.`;
    case "look":
      return isWorking
        ? "The first few are decided, and some are still under way: wait until they have come to something."
        : `The first few are done${came}. Look at them, then go on or stop. The rest takes ${time}.`;
    case "running":
      return `At work: ${rest} to go, ${time}.`;
    case "stopped":
      return `Stopped. What was decided stands; ${rest} were not touched.`;
    default:
      return isWorking ? "All are decided; some are still under way." : "Done.";
  }
}

import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/answers.ts";
import { useWorkforce } from "../../data/agents.ts";
import { Button } from "../../parts/button.tsx";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { FoundRuns } from "./found-runs.tsx";
import { RunTable } from "./run-table.tsx";
import parts from "../../parts/parts.module.css";

type Status = Answer<"/v1/runs">["runs"][number]["status"];

const STATUSES: readonly Status[] = [
  "queued",
  "running",
  "in_ward",
  "quarantined",
  "completed",
  "failed",
  "cancelled",
  "expired",
];
const LIMIT = 50;

/** Runs, newest first, by status and team; or those that a text leads to. */
export function Runs() {
  const [{ status, team, cursor, text = "" }, ask] = useAsked();
  const { data: workforce } = useWorkforce();
  const { data: overview } = $api.useQuery("get", "/v1/overview");
  const known = STATUSES.find((one) => one === status);
  const query = $api.useQuery("get", "/v1/runs", {
    params: {
      query: {
        limit: LIMIT,
        ...(known !== undefined && { status: known }),
        ...(team !== undefined && team !== "" && { team }),
        ...(cursor !== undefined && cursor !== "" && { cursor }),
      },
    },
  });
  const counts = JSON.stringify(overview?.runs);
  const { refetch } = query;
  // Runs make no news of their own while all goes well; their counts do.
  useEffect(() => void (counts === undefined ? undefined : refetch()), [counts, refetch]);
  const teams = [...new Set(workforce?.agents.map((one) => one.team))].toSorted();
  return (
    <Page title="Runs">
      <div className={parts.filters}>
        <SearchBox name="text" label="Run id, or words of its cases" />
        <Choice name="status" label="Status" options={STATUSES} drops="cursor" />
        <Choice name="team" label="Team" options={teams} drops="cursor" />
        {cursor !== undefined && (
          <Button onClick={() => ask({ cursor: undefined })}>Back to the newest</Button>
        )}
      </div>
      {text === "" ? (
        <Loaded query={query}>
          {({ runs, next_cursor: next }) => (
            <section className={parts.panel} aria-label="Newest first">
              <RunTable
                runs={runs}
                empty={
                  <NoRuns isFiltered={known !== undefined || team !== undefined} isLater={next !== null} />
                }
              />
              {next !== null && (
                <p className={parts.buttons}>
                  <Button onClick={() => ask({ cursor: next })}>Older runs</Button>
                  {runs.length > 0 && (
                    <span className={parts.quiet}>
                      than those of <When at={runs.at(-1)?.created_at ?? null} />
                    </span>
                  )}
                </p>
              )}
            </section>
          )}
        </Loaded>
      ) : (
        <FoundRuns text={text} />
      )}
    </Page>
  );
}

function NoRuns({ isFiltered, isLater }: { readonly isFiltered: boolean; readonly isLater: boolean }) {
  if (isLater) return <Empty title="None of the newest runs meets this.">Look at older ones.</Empty>;
  return isFiltered ? (
    <Empty title="No run meets this.">
      <p>
        Ended runs are kept for the retention alone. <Link to="/runs">Show all runs</Link>
      </p>
    </Empty>
  ) : (
    <Empty title="There are no runs yet.">
      <p>
        A task submitted to the gateway (<code>POST /v1/tasks</code>, or <code>npx suture submit</code>)
        begins one.
      </p>
    </Empty>
  );
}

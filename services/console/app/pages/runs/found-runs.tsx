import { useQueries } from "@tanstack/react-query";
import { $api, Problem } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { Empty, Failed, Loaded } from "../../parts/states.tsx";
import { RunTable } from "./run-table.tsx";
import parts from "../../parts/parts.module.css";

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const CASES_MAX = 50;
const SHOWN_MAX = 20;

/** Runs that a text leads to: the one with that id, and those of cases that hold it. */
export function FoundRuns({ text }: { readonly text: string }) {
  const cases = $api.useQuery("get", "/v1/ward/cases", { params: { query: { text, limit: CASES_MAX } } });
  return (
    <Loaded query={cases}>
      {(page) => {
        const ids = [
          ...new Set([
            ...(UUID.test(text) ? [text.toLowerCase()] : []),
            ...page.cases.map(({ run_id: id }) => id),
          ]),
        ];
        return (
          <section className={parts.panel} aria-label="Runs found">
            <p className={parts.quiet} role="status">
              Searched run ids, and what is known of {counted(page.searched, "case")} of{" "}
              {page.total.toLocaleString("en")}, the newest first: agents, contracts, failures, diagnoses.
              Payloads are not searched.
            </p>
            <ById ids={ids.slice(0, SHOWN_MAX)} />
          </section>
        );
      }}
    </Loaded>
  );
}

function ById({ ids }: { readonly ids: readonly string[] }) {
  const found = useQueries({
    queries: ids.map((id) => ({
      ...$api.queryOptions("get", "/v1/runs/{run_id}", { params: { path: { run_id: id } } }),
      retry: false,
    })),
  });
  const failed = found.find(
    ({ error }) => error !== null && !(error instanceof Problem && error.status === 404),
  );
  if (failed !== undefined) return <Failed error={failed.error} />;
  const runs = found.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (runs.length === 0 && found.some(({ isPending }) => isPending)) return null;
  return (
    <RunTable
      runs={runs}
      empty={
        <Empty title="No run was found.">Paste a whole run id, or look for its case in the inbox.</Empty>
      }
    />
  );
}

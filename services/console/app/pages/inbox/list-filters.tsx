import { $api } from "../../data/api.ts";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { GroupName } from "../../parts/group-name.tsx";
import { Button } from "../../parts/button.tsx";
import styles from "./inbox.module.css";

const ATTENTIONS = ["regressed", "failing_again", "waiting", "looked_after", "in_treatment", "quiet"];
const LIFECYCLES = ["open", "acknowledged", "resolved", "regressed"];
const SORTS = ["last_seen", "first_seen", "open", "count", "replays", "cost"];
export const STATUSES = [
  "quarantined",
  "admitted",
  "in_surgery",
  "discharged",
  "released",
  "discarded",
] as const;

/** What the list can be asked for. */
export function Filters({
  hasGroups,
  hasCases,
}: {
  readonly hasGroups: boolean;
  readonly hasCases: boolean;
}) {
  const [{ fingerprint = "", source = "" }, ask] = useAsked();
  // A key of some teams sees no queue.
  const { data } = $api.useQuery("get", "/v1/ward/sources", {}, { retry: false });
  const { data: group } = $api.useQuery(
    "get",
    "/v1/ward/groups/{fingerprint}",
    { params: { path: { fingerprint } } },
    { enabled: !hasGroups },
  );
  const sources = data?.sources ?? [];
  const queue = sources.find((one) => one.source === source);
  return (
    <div className={styles.filters} role="search">
      {!hasGroups && (
        <p className={styles.within}>
          <span>
            Cases of <GroupName of={group ?? { fingerprint }} />
          </span>
          <Button onClick={() => ask({ fingerprint: undefined, status: undefined })}>All groups</Button>
        </p>
      )}
      <SearchBox name="text" label="Find groups and cases" />
      <div className={styles.choices}>
        {hasGroups && sources.length > 0 && (
          <Choice name="source" label="Of" none="this ward" options={sources.map((one) => one.source)} />
        )}
        {hasGroups && source === "" && (
          <>
            <Choice name="attention" label="Needs" options={ATTENTIONS} />
            <Choice name="lifecycle" label="Called" options={LIFECYCLES} />
            <Choice name="sort" label="First" none="need" options={SORTS} />
          </>
        )}
        {hasCases && <Choice name="status" label="Status" options={STATUSES} />}
      </div>
      {queue !== undefined && (
        <p className={styles.queue}>
          {queue.problem ??
            Object.entries(queue.counts ?? {})
              .map(([state, count]) => `${count} ${state}`)
              .join(", ")}
          {queue.problem === null && "."}
          {!queue.has_contract && " No contract: grouped by error alone."}
        </p>
      )}
    </div>
  );
}

import { Link } from "@tanstack/react-router";
import { counted, words } from "../../parts/amounts.ts";
import { Badge, Status } from "../../parts/badge.tsx";
import { useAsked } from "../../parts/filters.tsx";
import { GroupName, isAttached, shortId, Unsealed } from "../../parts/group-name.tsx";
import { Trend } from "../../parts/trend.tsx";
import { When } from "../../parts/when.tsx";
import { visible } from "../../parts/visible.ts";
import { $api } from "../../data/api.ts";
import type { Group, Listed, Row } from "./rows.ts";
import styles from "./inbox.module.css";

const HOURS_SHOWN = 24;

/** One line of the list, which leads to what it names. */
export function ListRow({ row }: { readonly row: Row }) {
  if (row.kind === "title") return <h2 className={styles.rowsTitle}>{row.text}</h2>;
  return row.kind === "group" ? <GroupRow group={row.group} /> : <CaseRow one={row.one} />;
}

function GroupRow({ group }: { readonly group: Group }) {
  const { data: session } = $api.useQuery("get", "/v1/session");
  const { open, quarantined, trend } = group;
  const few = `${quarantined.toLocaleString("en")} of ${open.toLocaleString("en")}`;
  const waiting =
    quarantined > 0 ? `${few} ${quarantined === 1 ? "waits" : "wait"}` : counted(open, "open case");
  const inside = (
    <>
      <span className={styles.name}>
        <GroupName of={group} />
      </span>
      <span className={styles.about}>
        <Attention of={group} /> <Unsealed id={group.fingerprint} /> {waiting},{" "}
        <When at={group.last_seen_ms} />
      </span>
      {trend.length > 0 && (
        <Trend counts={trend.slice(-HOURS_SHOWN)} label={`${trend.at(-1) ?? 0} messages this hour`} />
      )}
    </>
  );
  // Of an attached queue viewers see groups alone, and jobs beyond its bound of groups have no page.
  if (isAttached(group.fingerprint) && (session?.role === "viewer" || group.fingerprint.endsWith(":rest")))
    return <div className={styles.row}>{inside}</div>;
  return (
    <Link
      id={`row ${group.fingerprint}`}
      className={styles.row}
      to="/inbox/group/$fingerprint"
      params={{ fingerprint: group.fingerprint }}
      search
      activeOptions={{ includeSearch: false }}
    >
      {inside}
    </Link>
  );
}

const ATTENTION = {
  regressed: ["came back", "bad"],
  failing_again: ["fails again", "bad"],
  waiting: ["waits", "warn"],
  looked_after: ["looked after", "accent"],
  in_treatment: ["in treatment", "accent"],
  quiet: ["nothing open", "quiet"],
} as const;

/** Why a group needs a person. */
export function Attention({
  of: { attention, lifecycle },
}: {
  readonly of: Pick<Group, "attention" | "lifecycle">;
}) {
  const [text, tone] = ATTENTION[attention];
  const isResolved = lifecycle === "resolved" && attention !== "regressed";
  return <Badge tone={tone}>{isResolved ? `${text}, resolved` : text}</Badge>;
}

function CaseRow({ one }: { readonly one: Listed }) {
  const [asked] = useAsked();
  // Cases of one group differ by little but their names.
  const isScoped = (asked["fingerprint"] ?? "") !== "";
  return (
    <Link
      id={`row ${one.case_id}`}
      className={styles.row}
      to="/inbox/case/$caseId"
      params={{ caseId: one.case_id }}
      search
      activeOptions={{ includeSearch: false }}
    >
      <span className={styles.name}>
        {isScoped ? <code>{shortId(one.case_id)}</code> : <b>{one.agent}</b>}{" "}
        {one.diagnosis === null ? words(one.failure_class) : visible(one.diagnosis)}
      </span>
      <span className={styles.about}>
        <Status of={one.status} /> {one.messages > 1 && <Badge tone="bad">came back</Badge>}
        {!isScoped && <code>{shortId(one.case_id)}</code>} <When at={one.updated_ms} />
      </span>
    </Link>
  );
}

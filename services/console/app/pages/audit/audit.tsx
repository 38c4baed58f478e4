import { Link } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import { SearchBox, useAsked } from "../../parts/filters.tsx";
import { Page } from "../../parts/page.tsx";
import { ExportButton } from "./export-button.tsx";
import { PeopleLog, Refusals, WardLog } from "./logs.tsx";
import styles from "./audit.module.css";

const LOGS = [
  { log: "", name: "What people did", of: PeopleLog },
  { log: "ward", name: "The ward’s log", of: WardLog },
  { log: "refusals", name: "Refused attempts", of: Refusals, isForAdmins: true },
] as const;

/** Who did what, when and why; whether the record was touched; and who was refused. */
export function Audit() {
  const [{ log = "" }] = useAsked();
  const { data: session } = $api.useQuery("get", "/v1/session");
  const offered = LOGS.filter((one) => !("isForAdmins" in one) || session?.role === "admin");
  const chosen = offered.find((one) => one.log === log) ?? LOGS[0];
  return (
    <Page title="Audit" actions={<ExportButton />}>
      <div className={styles.filters}>
        <nav className={styles.logs} aria-label="Logs">
          {offered.map((one) => (
            <Link
              key={one.log}
              to="/audit"
              search={{ log: one.log }}
              aria-current={one === chosen ? "page" : undefined}
            >
              {one.name}
            </Link>
          ))}
        </nav>
        <SearchBox name="text" label="Find in what is shown" />
      </div>
      <chosen.of />
    </Page>
  );
}

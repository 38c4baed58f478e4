import { useState } from "react";
import { api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { useCommands } from "../../parts/commands.ts";
import styles from "./audit.module.css";

const PAGE = 1000;

/** Saves all records of what people did as they are stored, a JSON text a line, for a place elsewhere. */
export function ExportButton() {
  const [said, setSaid] = useState("");
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setSaid("");
    try {
      const records: string[] = [];
      for (let isMore = true; isMore;) {
        const { data } = await api.GET("/v1/audit/people/records", {
          params: { query: { offset: records.length, limit: PAGE } },
        });
        records.push(...(data?.records ?? []));
        isMore = data?.records.length === PAGE;
        setSaid(`${counted(records.length, "record")} read`);
      }
      download(`suture-audit-${new Date().toISOString().slice(0, 10)}.jsonl`, `${records.join("\n")}\n`);
      setSaid(
        `${counted(records.length, "record")} saved. To compare later: npx suture audit verify --against FILE`,
      );
    } catch (error) {
      setSaid(error instanceof Error ? error.message : "It could not be read.");
    }
    setBusy(false);
  };
  useCommands([{ name: "Export the audit", run: () => void save() }]);
  return (
    <div className={styles.export}>
      <span role="status" className={styles.quiet}>
        {said}
      </span>
      <Button onClick={() => void save()} disabled={isBusy}>
        Export
      </Button>
    </div>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

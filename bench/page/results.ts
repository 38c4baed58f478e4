import type { ChainReport } from "../chain/report.ts";
import type { PeersReport } from "../peers/measure.ts";
import type { RepairReport } from "../repair/score-repairers.ts";

/** When and how one benchmark was run. */
export interface Measurement {
  /** ISO 8601. */
  readonly measured_at: string;
  readonly is_quick: boolean;
  /** Of the machine, over the last minute. More than its cores: others were busy on it. */
  readonly load_average_before: number;
  readonly load_average_after: number;
  readonly machine: {
    readonly cpus: number;
    readonly model: string;
    readonly memory_gib: number;
    readonly node: string;
  };
}

/** What `--json` writes and the page is made of. */
export interface Results {
  readonly measurements: Readonly<Record<string, Measurement>>;
  readonly chain?: ChainReport;
  readonly peers?: PeersReport;
  readonly repair?: RepairReport;
}

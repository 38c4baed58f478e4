import type {
  ArchiveReader,
  CaseListPage,
  KeptCase,
  KeptIndex,
  KeptRow,
  KeptRun,
  RunListPage,
} from "#shared/store/archive";
import type { ArchiveDb } from "./archive-db.ts";

/** Our ids; others are in no archive. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Fields = Readonly<Record<string, string>>;

/** Fields of a row's `record`, beside those of its `head`. */
type RunRest = Omit<KeptRun, "run_id">;
type CaseRest = Omit<KeptCase, "case_id">;

/** Conditions of a query with their values. */
class Where {
  readonly values: unknown[] = [];
  private readonly conditions: string[] = [];

  /** @param condition - With `?` for each value. Undefined values add no condition. */
  and(condition: string, ...values: readonly unknown[]): this {
    if (values.includes(undefined)) return this;
    let given = 0;
    this.conditions.push(
      condition.replaceAll("?", () => {
        this.values.push(values[given++]);
        return `$${this.values.length}`;
      }),
    );
    return this;
  }

  get text(): string {
    return this.conditions.length === 0 ? "" : `WHERE ${this.conditions.join(" AND ")}`;
  }
}

/** Reads runs and cases as Redis had them. Nothing of it is masked yet, and tenants are the caller's to compare. */
export class ArchiveReading implements ArchiveReader {
  private readonly db: ArchiveDb;

  constructor(db: ArchiveDb) {
    this.db = db;
  }

  async readRun(runId: string): Promise<KeptRun | null> {
    if (!ID.test(runId)) return null;
    const [row] = await this.db.query<{ readonly head: Fields; readonly record: RunRest }>(
      `SELECT head, record FROM ${this.db.schema}.runs WHERE run_id = $1`,
      [runId],
    );
    if (row === undefined) return null;
    const { fields, messages, log } = row.record;
    return { run_id: runId, fields: { ...fields, ...row.head }, messages, log };
  }

  async listRuns({ tenant, status, before, limit }: RunListPage): Promise<readonly KeptRow[]> {
    const where = new Where()
      .and("tenant = ?", tenant)
      .and("status = ?", status)
      .and("created_ms < ?", before);
    return this.db.query<{ readonly id: string; readonly fields: Fields }>(
      `SELECT run_id AS id, head AS fields FROM ${this.db.schema}.runs ${where.text}
       ORDER BY created_ms DESC, run_id DESC LIMIT ${limit}`,
      where.values,
    );
  }

  async countRuns(tenant?: string): Promise<number> {
    return this.count("runs", new Where().and("tenant = ?", tenant));
  }

  async readCase(caseId: string, part: "head" | "all"): Promise<KeptCase | null> {
    if (!ID.test(caseId)) return null;
    const [row] = await this.db.query<{ readonly head: Fields; readonly record: CaseRest | null }>(
      `SELECT head, ${part === "all" ? "record" : "NULL AS record"} FROM ${this.db.schema}.cases
       WHERE case_id = $1`,
      [caseId],
    );
    if (row === undefined) return null;
    return {
      case_id: caseId,
      fields: { ...row.record?.fields, ...row.head },
      audit: row.record?.audit ?? [],
    };
  }

  async listCases(index: KeptIndex, { cursor, limit }: CaseListPage): Promise<readonly KeptRow[]> {
    const [ms, id] = (cursor ?? "").split("|");
    const where = whereOf(index);
    if (id !== undefined) where.and("(admitted_ms, case_id) < (?, ?)", ms, id);
    return this.db.query<{ readonly id: string; readonly fields: Fields }>(
      `SELECT case_id AS id, head AS fields FROM ${this.db.schema}.cases ${where.text}
       ORDER BY admitted_ms DESC, case_id DESC LIMIT ${limit}`,
      where.values,
    );
  }

  async countCases(index: KeptIndex): Promise<number> {
    return this.count("cases", whereOf(index));
  }

  async listAudit(beforeMs: number, limit: number): Promise<readonly string[]> {
    const rows = await this.db.query<{ readonly entry: string }>(
      `SELECT entry::text AS entry FROM ${this.db.schema}.audit WHERE at_ms < $1
       ORDER BY at_ms DESC, seq DESC LIMIT ${limit}`,
      [beforeMs],
    );
    return rows.map(({ entry }) => entry);
  }

  private async count(table: string, where: Where): Promise<number> {
    const [row] = await this.db.query<{ readonly count: number }>(
      `SELECT count(*)::float8 AS count FROM ${this.db.schema}.${table} ${where.text}`,
      where.values,
    );
    return row?.count ?? 0;
  }
}

function whereOf(index: KeptIndex): Where {
  const where = new Where();
  switch (index.kind) {
    case "all":
      return where;
    case "status":
      return where.and("status = ?", index.status);
    case "group":
      return where.and("fingerprint = ?", index.fingerprint);
    case "run":
      return where.and("run_id = ?", index.runId);
    default:
      return index satisfies never;
  }
}

import type { ReactNode } from "react";
import { Panel } from "./page.tsx";
import styles from "./parts.module.css";

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumeric?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** On a phone each row is a card, with the names of its columns. Default: the table scrolls. */
  readonly isCards?: boolean;
  /** Shown where there are no rows. */
  readonly empty?: ReactNode;
}

/** A column of counts. A count that is not known is a dash. */
export function countColumn<Row>(name: string, of: (row: Row) => number | undefined): Column<Row> {
  return { name, cell: (row) => of(row)?.toLocaleString("en") ?? "–", isNumeric: true };
}

type Load = Partial<Readonly<Record<"waiting" | "active" | "delayed" | "failed", number>>>;

/** Columns of what is in a queue. */
export const LOAD: readonly Column<Load>[] = [
  countColumn("Waiting", ({ waiting }) => waiting),
  countColumn("Active", ({ active }) => active),
  countColumn("Delayed", ({ delayed }) => delayed),
  countColumn("Failed", ({ failed }) => failed),
];

/** A table of rows. It scrolls by itself where it is wider than its page. */
export function Table<Row>({ label, rows, columns, keyOf, isCards = false, empty = null }: TableProps<Row>) {
  if (rows.length === 0) return empty;
  return (
    <div className={styles.tableBox}>
      <table className={styles.table} data-cards={isCards} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isNumeric = false }) => (
              <th key={name} scope="col" data-numeric={isNumeric}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isNumeric = false }) => (
                <td key={name} data-name={name} data-numeric={isNumeric}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TablePanelProps<Row> extends Omit<TableProps<Row>, "label" | "isCards"> {
  readonly title: string;
  readonly aside?: ReactNode;
  /** Above the table. */
  readonly children?: ReactNode;
}

/** A part of a page that is a table under its heading; on a phone each row is a card. */
export function TablePanel<Row>({ title, aside, children, ...table }: TablePanelProps<Row>) {
  return (
    <Panel title={title} aside={aside}>
      {children}
      <Table label={title} isCards {...table} />
    </Panel>
  );
}

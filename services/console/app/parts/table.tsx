import type { ReactNode } from "react";
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
  readonly empty: ReactNode;
}

/** A table of rows. It scrolls by itself where it is wider than its page. */
export function Table<Row>({ label, rows, columns, keyOf, isCards = false, empty }: TableProps<Row>) {
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

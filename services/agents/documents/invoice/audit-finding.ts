/** A value that does not hold: stated and computed. */
export interface AuditFinding {
  readonly code:
    | "line_amount"
    | "lines_sum"
    | "tax_amount"
    | "taxes_sum"
    | "gross_sum"
    | "iban_checksum"
    | "vat_checksum"
    | "due_before_issue"
    | "not_in_document";
  /** JSON pointer into the extraction. */
  readonly path: string;
  readonly stated: string;
  /** Null where nothing can be computed. */
  readonly computed: string | null;
}

import { z } from "zod";

/** A value that does not hold: stated and computed. */
export const auditFinding = z.object({
  code: z.enum([
    "line_amount",
    "lines_sum",
    "tax_amount",
    "taxes_sum",
    "gross_sum",
    "iban_checksum",
    "vat_checksum",
    "due_before_issue",
    "not_in_document",
  ]),
  /** JSON pointer into the extraction. */
  path: z.string(),
  stated: z.string(),
  /** Null where nothing can be computed. */
  computed: z.string().nullable(),
});

export type AuditFinding = Readonly<z.output<typeof auditFinding>>;

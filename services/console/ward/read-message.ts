import { unpackText } from "#shared/envelope/seals";
import type { Admission } from "#shared/store/settlement";
import { ADMISSION_LIMITS } from "#shared/ward";
import type { CaseAdmission } from "#shared/ward";

/**
 * What an admission says, for showing it to people. Its signature is the surgeon's to verify, before anything leaves;
 * here it is only shown. Null where it cannot be read.
 */
export function readMessage(admission: Admission): CaseAdmission | null {
  const { sealed, encoding } = admission;
  if (typeof sealed !== "string") return null;
  try {
    const text = unpackText({ sealed, encoding }, ADMISSION_LIMITS.envelopeBytesMax);
    // `admitCase` has held it against the schema of admissions before it was kept.
    return JSON.parse(text) as CaseAdmission;
  } catch {
    return null;
  }
}

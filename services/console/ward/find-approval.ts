import { Approval } from "#shared/context";
import type { ToolCall } from "#shared/context";
import type { CaseAdmission } from "#shared/ward";

const Asked = Approval.schema.omit({ approved: true });

/** The tool call that a message waits with for a person's word; null where it waits for none, or it cannot be read. */
export function findApproval(record: CaseAdmission | null): ToolCall | null {
  if (record?.contract !== Approval.id || record.subject.kind !== "answer") return null;
  try {
    const asked = Asked.safeParse(JSON.parse(record.subject.text));
    return asked.success ? asked.data.call : null;
  } catch {
    return null;
  }
}

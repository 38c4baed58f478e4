import { firstAid as mend } from "#shared/repair";
import type { RepairContext } from "../cases/repair-context.ts";
import type { Surgery } from "../surgery.ts";
import { FREE, refuse } from "./procedure.ts";
import type { Procedure, Proposal } from "./procedure.ts";

/** Deterministic repair of syntax and shape: no model, no cost, no guess. */
export const firstAid: Procedure = {
  name: "first_aid",
  provenAs: "first_aid",
  async propose(_surgery: Surgery, context: RepairContext): Promise<Proposal> {
    const result = mend(context.text, context.schema);
    if (!result.ok) return refuse(`${result.code}: ${result.reason}`);
    const steps = [...new Set(result.notes.map((note) => note.step))].join(", ");
    return {
      kind: "repair",
      value: result.value,
      reason: steps === "" ? "As it stands." : steps,
      bill: FREE,
      steps: result.notes,
    };
  },
};

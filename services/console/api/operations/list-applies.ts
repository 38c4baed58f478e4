import { z } from "zod";
import { findBatches } from "#shared/ward/batches";
import { operation } from "../operation.ts";
import { idField } from "./request-fields.ts";

/** Work on whole groups, the newest first. */
export const listApplies = operation({
  id: "listApplies",
  role: "viewer",
  query: z.strictObject({ fingerprint: idField.exactOptional() }),
  async handle({ console, query: { fingerprint } }) {
    const applies = await findBatches(console.store);
    return {
      applies: applies.filter((batch) => fingerprint === undefined || batch.fingerprint === fingerprint),
    };
  },
});

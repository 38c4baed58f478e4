import { z } from "zod";
import { timestamp } from "#shared/clock";
import { getCase } from "#shared/ward";
import { viewCase } from "../../ward/view-case.ts";
import { operation } from "../operation.ts";
import { caseParams, whyField } from "./request-fields.ts";

/**
 * Shows a case with the values that its contract marks as sensitive; secrets stay masked. The audit has who looked,
 * when and why before anything is shown.
 */
export const revealCase = operation({
  id: "revealCase",
  audit: "case.reveal",
  role: "admin",
  params: caseParams,
  body: z.strictObject({ why: whyField }),
  async handle({ console, params: { case_id }, body: { why }, caller }) {
    const detail = await getCase(console.store, case_id);
    const did = { case_id, at: timestamp(), by: caller.name, action: "case.reveal", why, detail: {} };
    await console.store.cases.note(did);
    return viewCase(console, detail, true);
  },
});

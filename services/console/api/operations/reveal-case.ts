import { z } from "zod";
import { timestamp } from "#shared/clock";
import { getCase } from "#shared/ward";
import { viewCase } from "../../ward/view-case.ts";
import { operation } from "../operation.ts";
import { caseParams, whyField } from "./request-fields.ts";

const PATH_CHARS_MAX = 300;

/**
 * Shows a case with the values that its contract marks as sensitive, all of them or those at one place; secrets stay
 * masked. The record of what people did and the audit have who looked, when, at what and why before anything is shown.
 */
export const revealCase = operation({
  id: "revealCase",
  audit: "case.reveal",
  role: "admin",
  params: caseParams,
  body: z.strictObject({
    why: whyField,
    /** JSON pointer into the message's payload. Default: everything. */
    path: z
      .string()
      .max(PATH_CHARS_MAX)
      .regex(/^\//, "must be a JSON pointer such as /patient")
      .exactOptional(),
  }),
  async handle({ console, params: { case_id }, body: { why, path }, caller }) {
    console.reveals.take(caller.person ?? caller.name);
    const detail = await getCase(console.store, case_id);
    await console.store.cases.note({
      case_id,
      at: timestamp(),
      by: caller.name,
      action: "case.reveal",
      why,
      detail: path === undefined ? {} : { path },
    });
    return viewCase(console, detail, path ?? "");
  },
});

import { timestamp } from "#shared/clock";
import { getCase } from "#shared/ward";
import { viewCase } from "../../ward/view-case.ts";
import type { Handler } from "../operation.ts";

/**
 * Shows a case with the values that its contract marks as sensitive, all of them or those at one place; secrets stay
 * masked. The record of what people did and the audit have who looked, when, at what and why before anything is shown.
 */
export const revealCase: Handler<"revealCase"> = async ({
  console,
  params: { case_id },
  body: { why, path },
  caller,
}) => {
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
};

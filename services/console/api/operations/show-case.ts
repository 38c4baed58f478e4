import { getCase } from "#shared/ward";
import { viewCase } from "../../ward/view-case.ts";
import type { Handler } from "../operation.ts";

export const showCase: Handler<"showCase"> = async ({ console, params }) =>
  viewCase(console, await getCase(console.store, params.case_id), null);

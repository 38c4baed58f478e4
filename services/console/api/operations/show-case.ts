import { getCase } from "#shared/ward";
import { viewCase } from "../../ward/view-case.ts";
import { operation } from "../operation.ts";
import { caseParams } from "./request-fields.ts";

export const showCase = operation({
  id: "showCase",
  role: "viewer",
  params: caseParams,
  handle: async ({ console, params }) =>
    viewCase(console, await getCase(console.store, params.case_id), null),
});

import { measureCosts } from "../../live/measure-costs.ts";
import { operation } from "../operation.ts";

/** What surgery cost in each of the last hours, what this one may still spend, and what its limit holds back. */
export const showCosts = operation({
  id: "showCosts",
  role: "viewer",
  handle: ({ console }) => measureCosts(console),
});

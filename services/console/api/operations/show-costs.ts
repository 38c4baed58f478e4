import { measureCosts } from "../../live/measure-costs.ts";
import type { Handler } from "../operation.ts";

/** What surgery cost in each of the last hours, what this one may still spend, and what its limit holds back. */
export const showCosts: Handler<"showCosts"> = ({ console }) => measureCosts(console);

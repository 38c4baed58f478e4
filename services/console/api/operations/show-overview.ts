import { measure } from "../../live/measure.ts";
import type { Handler } from "../operation.ts";

export const showOverview: Handler<"showOverview"> = ({ console }) => measure(console);

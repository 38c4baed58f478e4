import { measure } from "../../live/measure.ts";
import { operation } from "../operation.ts";

export const showOverview = operation({
  id: "showOverview",
  role: "viewer",
  handle: ({ console }) => measure(console),
});

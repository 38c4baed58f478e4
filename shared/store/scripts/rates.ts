import { Script } from "../script.ts";
import { nothing } from "../script-reply.ts";

export const countRates = new Script("count-rates.lua", {
  keys: ["ofMinute", "ofHour"],
  args: { rows: { list: { field: "text", count: "number" } }, rowsMax: "number" },
  reply: nothing,
});

import { recorded } from "#shared/runtime/tools";
import { english } from "./english.ts";

/** What models answer in a rehearsal: recorded answers for the shipped e-mails, for any other a little English. */
export const standIns = recorded(new URL("../recordings/support.jsonl", import.meta.url), english);

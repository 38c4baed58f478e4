import { recorded } from "#shared/runtime/tools";
import { english } from "./english.ts";

/** What models answer in a rehearsal: the recorded answers of the shipped e-mails, and for any other a little English. */
export const standIns = recorded(new URL("../recordings/support.jsonl", import.meta.url), english);

// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export type { GroupMark } from "./case-groups.ts";
export { GROUP_LIFECYCLES, groupSchema, toGroup } from "./group-record.ts";
export type { CaseGroup } from "./group-record.ts";
export { causeNoteSchema, causeSchema } from "./cause-notes.ts";
export type { CauseNote } from "./cause-notes.ts";
export { CASE_STATUSES, HEAD_FIELDS, OPEN_CASE_STATUSES } from "./case-record.ts";
export type {
  CaseCounts,
  CaseFence,
  CaseForSurgery,
  CaseIndex,
  CaseStatus,
  StoredCase,
} from "./case-record.ts";
export { moveInboxEntry } from "./move-inbox-entry.ts";
export type { SlotEnd } from "./model-slots.ts";
export { auditEntrySchema, readAudit } from "./read-audit.ts";
export type { AuditEntry } from "./read-audit.ts";
export { EVERY_PRODUCER, RECIPE_STATES, recipeSchema } from "./recipe-record.ts";
export { RecipeStore } from "./recipe-store.ts";
export type { NewRecipe, StoredRecipe } from "./recipe-record.ts";
export type { Reservation } from "./surgery-costs.ts";

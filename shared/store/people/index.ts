// Must be loaded before ioredis.
import "../keep-strings-fast.ts";

export type { RecordList } from "./record-list.ts";
export type { ListedEffect, Restore, RestoredEffect } from "./restores.ts";

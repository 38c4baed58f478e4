import { ConfigError, loadConfig } from "#shared/config";
import type { Chapter } from "./chapters.ts";

/** Whether the product under test can be configured for this chapter: a durability that it refuses cannot be tested. */
export function canRun({ durability }: Chapter): boolean {
  try {
    loadConfig({ SUTURE_REDIS_DURABILITY: durability, REDIS_URL: "redis://127.0.0.1:6379" });
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

import { defineError } from "#shared/errors";

/** No Redis is installed, and none can be installed here without asking. */
export class RedisMissingError extends defineError((tried: readonly string[]) => ({
  code: "REDIS_MISSING",
  failureClass: "handler_error",
  severity: "fatal",
  message: `No Redis was found and none could be set up here. Tried: ${tried.join("; ")}.`,
  remedy:
    "Do one of three things and start again: set REDIS_URL to a Redis (6.2 or newer) or Valkey that runs; put redis-server or " +
    "valkey-server on the PATH (Debian: apt install redis-server, macOS: brew install redis); or start one with " +
    "docker run -p 6379:6379 valkey/valkey:8-alpine and set REDIS_URL=redis://127.0.0.1:6379.",
})) {}

/** The private Redis did not start. Its log has the reason. */
export class RedisStartError extends defineError((problem: string, logFile: string) => ({
  code: "REDIS_START_FAILED",
  failureClass: "handler_error",
  severity: "fatal",
  message: `The private Redis ${problem}.`,
  remedy: `Read ${logFile}; if the data there is not needed, remove its folder and start again.`,
})) {}

/** The data folder belongs to another user, who could read its secrets. */
export class FolderForeignError extends defineError((folder: string) => ({
  code: "FOLDER_FOREIGN",
  failureClass: "handler_error",
  severity: "fatal",
  message: `${folder} belongs to another user, who could read the keys and the data that are kept there.`,
  remedy:
    "Give it to the user that Suture runs as, or name a folder of its own with SUTURE_DATA_DIR, as a new one inside it.",
})) {}

import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/** Standard folders of system programs. PATH is ignored, because these programs may run as root. */
const FOLDERS = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/run/current-system/sw/bin"];

export const SYSTEM_PATH = FOLDERS.join(":");

/** A required system program is not installed. */
export class ToolMissingError extends Error {
  constructor(name: string) {
    super(`${name} is not installed (it is part of util-linux)`);
  }
}

/** Returns the absolute path of a program of the system. @throws {ToolMissingError} */
export function findTool(name: string): string {
  const found = FOLDERS.map((folder) => join(folder, name)).find((path) => isExecutable(path));
  if (found === undefined) throw new ToolMissingError(name);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

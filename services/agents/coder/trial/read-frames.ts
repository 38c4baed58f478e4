import { isProjectPath } from "../checkout/project-path.ts";
import type { Frame } from "./report.ts";

const FRAMES_MAX = 12;
/** `at name (place:line:column)`, `at place:line:column`, or a bare `place:line` as a loader's error begins. */
const FRAME =
  /^\s*(?:at\s+(?:async\s+)?(?:(.{1,200}?)\s+\()?)?(?:file:\/\/)?([^\s():]{1,400}):(\d{1,7})(?::(\d{1,7}))?\)?\s*$/;

/**
 * The places of a stack that lie in the project, innermost first, with paths from its root.
 *
 * @param folder - Real path of the folder in which the project ran.
 */
export function readFrames(stack: string, folder: string): Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.split("\n")) {
    const match = FRAME.exec(line);
    const path = match === null ? null : insideOf(match[2] ?? "", folder);
    if (match === null || path === null) continue;
    const [, symbol = "", , lineNumber = "0", column = "0"] = match;
    frames.push({ path, line: Number(lineNumber), column: Number(column), symbol: symbol.slice(0, 200) });
  }
  return frames.slice(0, FRAMES_MAX);
}

function insideOf(place: string, folder: string): string | null {
  const decoded = place.includes("%") ? tryToDecode(place) : place;
  if (!decoded.startsWith(`${folder}/`)) return null;
  const path = decoded.slice(folder.length + 1);
  return isProjectPath(path) && !path.includes("node_modules/") ? path : null;
}

function tryToDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { isProjectPath } from "../checkout/project-path.ts";
import type { Frame } from "./report.ts";

const FRAMES_MAX = 12;
/** Python's `File "path", line 3`, Node's `at name (path:3:1)`, or `path:3` as other tools write places. */
const PLACE =
  /File "([^"\n]{1,400})", line (\d{1,7})|(?:\bat (?:async )?([^\s(][^(\n]{0,199}?) \(|^|[\s(])(?:file:\/\/)?([^\s():"]{1,400}\.\w{1,4}):(\d{1,7})(?::(\d{1,7}))?/gm;

/**
 * Returns the places in the project that a text names, in its order, with paths from the project's root.
 *
 * @param folder - Real path of the folder in which the project ran.
 */
export function readFrames(text: string, folder: string): Frame[] {
  const frames = [...text.matchAll(PLACE)].flatMap((match): Frame[] => {
    const [, quoted, quotedLine, symbol = "", bare = "", bareLine, column = "0"] = match;
    const path = (quoted ?? bare).replace(`${folder}/`, "").replace(/^\.\//, "");
    if (!isProjectPath(path) || path.includes("node_modules/")) return [];
    return [{ path, line: Number(quotedLine ?? bareLine), column: Number(column), symbol }];
  });
  return frames.slice(0, FRAMES_MAX);
}

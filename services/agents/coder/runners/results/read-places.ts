import { isProjectPath } from "../../checkout/project-path.ts";
import type { Frame } from "../../trial/report.ts";

const FRAMES_MAX = 12;
/** `path:line`, as Node, pytest and Go write places, and Python's `File "path", line 3`. */
const PLACE =
  /(?:File "([^"\n]{1,400})", line (\d{1,7}))|(?:^|[\s(])(?:file:\/\/)?([\w./@-]{1,400}\.\w{1,4}):(\d{1,7})/gm;

/** Returns the places in the project that a text names, in its order, with paths from the project's root. */
export function readFrames(text: string, folder: string): Frame[] {
  const frames = [...text.matchAll(PLACE)].flatMap(([, quoted, quotedLine, bare, bareLine]): Frame[] => {
    const path = (quoted ?? bare ?? "").replace(`${folder}/`, "").replace(/^\.\//, "");
    const line = Number(quotedLine ?? bareLine ?? 0);
    if (!isProjectPath(path) || path.includes("node_modules/")) return [];
    return [{ path, line, column: 0, symbol: "" }];
  });
  return frames.slice(0, FRAMES_MAX);
}

import { homedir } from "node:os";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Frames kept of one stack. */
const FRAMES_MAX = 8;
const FRAME_CHARACTERS_MAX = 200;
/** Characters of a stack that are read. */
const STACK_CHARACTERS_MAX = 32_768;
/** `at NAME (PLACE:LINE:COLUMN)`, or without a name. A name with spaces is data: it is left out. */
const FRAME =
  /^ {4}at (?:async )?(?:new )?(?:([\w$.#<>]{1,100}) (?:\[as [^\]]{1,100}\] )?\(|[^()]{0,200}\()?([^()]{1,500}:\d+:\d+)\)?$/;

/**
 * Returns the places that an error came through, the user's own files before those of packages and of Node. Holds
 * names of functions and files, and no text of the error's message, which may quote data. May throw for a hostile
 * error.
 *
 * @returns Lines such as `handle (team/refunds.ts:14:22)`, at most 8.
 */
export function readStack(error: Error): readonly string[] {
  const { stack: whole, message }: { readonly stack?: unknown; readonly message: unknown } = error;
  if (typeof whole !== "string" || typeof message !== "string") return [];
  const stack = whole.slice(0, STACK_CHARACTERS_MAX);
  // A message may look like frames; only what stands after it is the engine's.
  const at = message === "" ? -1 : stack.indexOf(message);
  const lines = stack.slice(at === -1 ? 0 : at + message.length).split("\n");
  const frames = lines.slice(lines.findLastIndex((line) => !line.startsWith("    at ")) + 1).flatMap(toFrame);
  const isOwn = (frame: string): boolean => !/node_modules\/|\(node:|^node:/.test(frame);
  return [...frames.filter(isOwn), ...frames.filter((frame) => !isOwn(frame))].slice(0, FRAMES_MAX);
}

function toFrame(line: string): string[] {
  const found = FRAME.exec(line);
  if (found === null) return [];
  const [, name, place = ""] = found;
  const file = shorten(place);
  return [(name === undefined ? file : `${name} (${file})`).slice(0, FRAME_CHARACTERS_MAX)];
}

/** Names a file from the working folder or its package on, because folders above may name a person. */
function shorten(place: string): string {
  const path = place.startsWith("file:///") ? fileURLToPath(place) : place;
  const inPackage = path.lastIndexOf("node_modules/");
  if (inPackage !== -1) return path.slice(inPackage);
  if (!path.startsWith("/")) return path;
  const inside = relative(process.cwd(), path);
  return inside.startsWith("..") ? path.replace(homedir(), "~") : inside;
}

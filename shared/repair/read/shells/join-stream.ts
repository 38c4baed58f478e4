import { folded } from "../../align/match-words.ts";
import { CHUNKS } from "./dialects.ts";

const FIRST_LINE = /^(?:data|event|id|retry|:|\{[^\n]*\}\s*$)/;
const CHUNKS_MIN = 2;
const DEPTH_MAX = 8;

interface Pieces {
  readonly calls: string[];
  readonly texts: string[];
}

/**
 * Joins what a stream of server-sent events carries: the pieces of a call's arguments, or else of the text. Undefined
 * for other text, and for a stream of whole values.
 *
 * @example `data: {"choices":[{"delta":{"content":"{\"a\""}}]}` and further lines give `{"a": 1}`.
 */
export function joinStream(text: string): string | undefined {
  const [first, ...others] = text.trimStart().split("\n", 2);
  if (first === undefined || others.length === 0 || !FIRST_LINE.test(first)) return undefined;
  const pieces: Pieces = { calls: [], texts: [] };
  let chunks = 0;
  for (const line of text.split("\n")) {
    const said = line.trim();
    if (said === "" || /^(?:event|id|retry):|^:/.test(said)) continue;
    const data = said.replace(/^data:\s*/, "");
    if (data === "[DONE]") continue;
    const chunk = parse(data);
    if (typeof chunk !== "object" || chunk === null) return undefined;
    collect(chunk, { pieces, depth: 0 });
    chunks += 1;
  }
  const joined = (pieces.calls.length > 0 ? pieces.calls : pieces.texts).join("");
  return chunks < CHUNKS_MIN || joined.trim() === "" ? undefined : joined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function collect(value: object, at: { readonly pieces: Pieces; readonly depth: number }): void {
  if (at.depth > DEPTH_MAX) return;
  const below = { pieces: at.pieces, depth: at.depth + 1 };
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const name = Array.isArray(value) ? "parts" : folded(key);
    if (typeof inner === "string" && CHUNKS.arguments.has(name)) at.pieces.calls.push(inner);
    else if (typeof inner === "string" && CHUNKS.texts.has(name)) at.pieces.texts.push(inner);
    else if (typeof inner === "object" && inner !== null && CHUNKS.leads.has(name)) collect(inner, below);
  }
}

import { literalOf } from "../literal.ts";
import { JSON_NUMBER } from "../tree.ts";
import type { Entry, Tree } from "../tree.ts";
import { CALL_HEADS, PARAMETER_ELEMENTS } from "./dialects.ts";

/**
 * Reads tool calls that carry the function's name outside of their JSON, as `name[ARGS]{…}`, or their parameters as
 * elements: each with its name and arguments, in order. None where one of them cannot be read.
 *
 * @param readFlow - Reads a text in JSON's own marks; undefined where it is none.
 */
export function readCalls(
  text: string,
  readFlow: (text: string) => Tree | undefined,
): readonly { readonly name: string; readonly given: Tree }[] {
  // In JSON such marks are part of a text.
  if (/^\s*(?:\{|\[\s*["{[\d])/.test(text)) return [];
  const heads = [...text.matchAll(CALL_HEADS)];
  const calls = heads.flatMap((head, at) => {
    const body = text.slice(head.index + head[0].length, heads[at + 1]?.index);
    const name = head.slice(1).find((one) => one !== undefined) ?? "";
    const given = inElements(body, readFlow) ?? inBraces(body, readFlow);
    return given === undefined ? [] : [{ name, given }];
  });
  return calls.length === heads.length ? calls : [];
}

/** The object at the beginning, up to the brace that balances it in a line of its own or before a mark. */
function inBraces(body: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  const start = /^\s*(?:```(?:json)?\s*)?(?=\{)/.exec(body)?.[0].length;
  const end = body.lastIndexOf("}") + 1;
  return start === undefined || end <= start ? undefined : readFlow(body.slice(start, end));
}

function inElements(body: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  for (const element of PARAMETER_ELEMENTS) {
    const entries = [...body.matchAll(element)].map(([, key = "", written = ""]): Entry => {
      const value = written.replaceAll(/^\n|\n$/g, "");
      return { key, value: readJson(value, readFlow) ?? { kind: "string", text: value, bare: true } };
    });
    if (entries.length > 0) return { kind: "object", entries };
  }
  return undefined;
}

/** Texts stand there as they are, all else as JSON. */
function readJson(value: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  if (/^(?:null|true|false)$/.test(value)) return literalOf(value);
  if (JSON_NUMBER.test(value)) return { kind: "number", raw: value };
  return /^\s*[[{]/.test(value) ? readFlow(value) : undefined;
}

import { below, isObject, propertiesOf, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { clausesIn } from "./account.ts";
import type { Compared } from "./compared.ts";
import type { Objection } from "./proof.ts";

/** Steps of a reading that close what a text leaves open. */
const CLOSES = /^(?:cut|missing_closer|closed_early)/;

/**
 * Objects to a text that ends inside a list, or inside an object that may have more members: an answer that stopped
 * there has lost them. An object is complete when it has every member that a closed contract declares.
 */
export function findCut({ input, readings, before }: Compared): Objection[] {
  const { original, ending } = input;
  const { text } = original;
  const { cheapest, steps: closed } = readings;
  if (ending === "whole") return [];
  const cut = (path: string): Objection[] => [
    { path, code: "cut", message: "the text ends before this does, so more of it may be lost" },
  ];
  if (ending === "cut" || (cheapest === undefined && isCutProse(text))) return cut("");
  if (cheapest === undefined || !closed.some((step) => CLOSES.test(step))) return [];
  if (closed.some((step) => step.startsWith("cut_"))) return cut("");
  let [value, path, steps]: [JsonValue, string, readonly string[]] = [cheapest, "", []];
  for (const opener of openAtEnd(text)) {
    const schema = before.schemaAt({ path, steps })?.schema ?? {};
    const isClosed = opener === "{" && schema["additionalProperties"] === false;
    if (
      !isClosed ||
      !isObject(value) ||
      Object.keys(propertiesOf(schema)).some((name) => valueAt(value, [name]) === undefined)
    )
      return cut(path);
    const last: string = Object.keys(value).at(-1) ?? "";
    [value, path, steps] = [valueAt(value, [last]) ?? null, below(path, last), [...steps, last]];
  }
  return [];
}

/** A text of sentences whose last one lacks its mark. */
function isCutProse(text: string): boolean {
  const last = clausesIn(text).at(-1)?.trim() ?? "";
  return (
    /[.!?。！？؟।](?=\s|[^\s\p{L}\p{N}]|$)/u.test(text) &&
    text.trimEnd().endsWith(last) &&
    /\S\s+\S+\s+\S/.test(last)
  );
}

/** The brackets that a text leaves open at its end, outermost first. */
function openAtEnd(text: string): string[] {
  const body = text.replace(/\s*(?:```|~~~)?\s*$/, "");
  const outside = body.replaceAll(/"(?:\\.|[^"\\])*"/gs, '""');
  const open: string[] = [];
  for (const mark of outside.match(/[[\]{}]/g) ?? []) {
    if (mark === "{" || mark === "[") open.push(mark);
    else {
      const own = open.lastIndexOf(mark === "}" ? "{" : "[");
      if (own !== -1) open.length = own;
    }
  }
  return open;
}

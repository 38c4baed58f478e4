import { literalOf } from "../literal.ts";
import { JSON_NUMBER } from "../tree.ts";
import type { Entry, Tree } from "../tree.ts";
import { CALL_ELEMENTS, PARAMETER_ELEMENTS } from "./dialects.ts";

/**
 * Reads one tool call whose parameters are elements: `<parameter name="city">Oslo</parameter>`. Undefined for other
 * text, and for several calls.
 */
export function readParameters(text: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  if (!text.includes("</parameter>") && !text.includes("</arg_value>")) return undefined;
  if ((text.match(CALL_ELEMENTS) ?? []).length > 1) return undefined;
  for (const element of PARAMETER_ELEMENTS) {
    const entries = [...text.matchAll(element)].map(([, key = "", written = ""]): Entry => {
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

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
      const flow = /^\s*[[{]/.test(value) ? readFlow(value) : undefined;
      return { key, value: flow ?? { kind: "string", text: value, bare: true } };
    });
    if (entries.length > 0) return { kind: "object", entries };
  }
  return undefined;
}

import { withoutForms } from "./text-forms.ts";
import { withoutReasoning } from "./without-reasoning.ts";

/** Returns a text without a model's reasoning and without what carries texts: mail, diffs, escapes, marks of lines. */
export function plainText(text: string): string {
  return withoutForms(withoutReasoning(text)).text;
}

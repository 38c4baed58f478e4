import { words } from "../../parts/amounts.ts";

/** Name of a procedure in words. */
export const procedureName = (procedure: string): string => words(procedure);

/** Why data of the original is in no value. */
export const UNUSED = {
  not_declared: "The contract has no such field.",
  another_value: "The field has another value.",
  left_out: "The contract has this field, and the repair no value for it.",
  unnamed: "It has no name.",
} as const;

/** Rules of single fields; others are shown by their names. */
const RULES: Readonly<Record<string, string>> = {
  text_to_number: "text read as a number",
  text_to_date: "date written in another form",
  parts_to_date: "date given in parts",
  text_to_list: "text split into a list",
  value_to_text: "value written as text",
  word_to_boolean: "word read as true or false",
  word_to_null: "word for nothing",
  boolean_in_sentence: "yes or no in a sentence",
  enum_case: "listed value in other case",
  enum_synonym: "declared synonym of a listed value",
  enum_in_sentence: "listed value in a sentence",
  name_spelling: "field name in another spelling",
  name_alias: "other name that the contract states",
  name_near_miss: "field name with a slip",
  names_as_paths: "field name written as a path",
  level_moved: "moved from another level",
  unit_removed: "unit that the contract states",
  nested_json: "JSON inside a text",
  pairs_to_members: "list of names and values",
  wrapped_in_list: "single value for a list",
  taken_out_of_list: "list of one value",
  taken_out_of_object: "object around the value",
  default_filled: "default of the contract",
  discriminator_filled: "only kind that fits the rest",
  fence_removed: "code without its fence",
};

/** Name of a rule of first aid in plain words. */
export function ruleInWords(rule: string): string {
  return RULES[rule] ?? words(rule);
}

/** Why a procedure did what it did. First aid names its rules. */
export function reasonInWords(procedure: string, reason: string): string {
  return procedure === "first_aid" ? reason.split(", ").map(ruleInWords).join(", ") : reason;
}

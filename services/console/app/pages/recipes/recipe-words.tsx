import type { operations } from "#shared/api/client";
import { visible } from "../../parts/visible.ts";
import styles from "./recipes.module.css";

export type Recipe = operations["editRecipe"]["requestBody"]["content"]["application/json"]["recipe"];
type Operation = Recipe["operations"][number];

/** How far a recipe is believed, the one to look at first leading, and what that means. */
export const RECIPE_STATES: Readonly<Record<string, string>> = {
  trial:
    "It is applied to messages of the producers whose repairs taught it, each time with the full proof, and trusted once enough messages and producers speak for it.",
  proposed: "It is not applied. Approve it, or wait until another accepted repair says the same.",
  trusted:
    "It is applied to every such message, each time with the full proof. It is withheld from a producer whose messages come back.",
  retired:
    "It is never applied and never learned again; it is kept for the record. Approving brings it back.",
};

/** Returns the operations of a recipe as the API stores it. */
export function operationsOf(recipe: unknown): readonly Operation[] {
  // The API checks a recipe before it stores it, and says no more of it than that it is one.
  return (recipe as Recipe).operations;
}

const KINDS = { string: "a text", number: "a number", integer: "a whole number", boolean: "true or false" };

/** Returns one operation as a sentence. */
export function inWords(operation: Operation): string {
  const place = placeOf(operation.path);
  switch (operation.op) {
    case "rename":
      return `Call the member ${place} “${operation.to}” instead.`;
    case "move":
      return `Move what stands at ${placeOf(operation.from)} to ${place}.`;
    case "wrap":
      return operation.in === "array"
        ? `Put what stands at ${place} into a list.`
        : `Put what stands at ${place} into an object, as “${operation.in.key}”.`;
    case "unwrap":
      return operation.key === undefined
        ? `Take what stands at ${place} out of its list or object.`
        : `Put the member “${operation.key}” of ${place} in its place.`;
    case "coerce":
      return `Read what stands at ${place} as ${KINDS[operation.to]}.`;
    case "map_value":
      return `At ${place}, read ${operation.map.map(pairInWords).join(", ")}.`;
    case "set_default":
      return `Where nothing stands at ${place}, write ${JSON.stringify(operation.value)}.`;
    case "delete":
      return `Take away what stands at ${place}.`;
    case "parse_json":
      return `Read the text at ${place} as the JSON that it holds.`;
    case "split":
      return `Split the text at ${place} at every ${JSON.stringify(operation.by)} into a list.`;
    case "join":
      return `Join the list at ${place} to one text, with ${JSON.stringify(operation.by)} between.`;
  }
}

const pairInWords = ({ from, to }: { readonly from: unknown; readonly to: unknown }): string =>
  `${JSON.stringify(from)} as ${JSON.stringify(to)}`;

function placeOf(pointer: string): string {
  if (pointer === "") return "the whole";
  return pointer.includes("*") ? `${pointer} (* is each of them)` : pointer;
}

/** What a recipe does, a sentence for each of its operations. */
export function Operations({ of }: { readonly of: unknown }) {
  return (
    <ol className={styles.words}>
      {operationsOf(of).map((one) => (
        <li key={JSON.stringify(one)}>{visible(inWords(one))}</li>
      ))}
    </ol>
  );
}

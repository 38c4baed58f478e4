/** How far a recipe is believed, and what that means for the person who looks at it. */
export const RECIPE_STATES = {
  trial:
    "On trial: it is applied to messages of the producers whose repairs taught it, each time with the full proof, and trusted once enough messages and producers speak for it.",
  trusted:
    "Trusted: it is applied to every such message, each time with the full proof. It is withheld from a producer whose messages come back.",
  proposed: "Proposed: it is not applied. Approve it, or wait until another accepted repair says the same.",
  retired:
    "Retired: it is never applied and never learned again; it is kept for the record. Approving brings it back.",
};

/** One operation of a recipe, as a sentence. */
export function inWords(operation) {
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
      return `Read what stands at ${place} as ${KINDS[operation.to] ?? operation.to}.`;
    case "map_value":
      return `At ${place}, read ${operation.map.map(({ from, to }) => `${asJson(from)} as ${asJson(to)}`).join(", ")}.`;
    case "set_default":
      return `Where nothing stands at ${place}, write ${asJson(operation.value)}.`;
    case "delete":
      return `Take away what stands at ${place}.`;
    case "parse_json":
      return `Read the text at ${place} as the JSON that it holds.`;
    case "split":
      return `Split the text at ${place} at every ${asJson(operation.by)} into a list.`;
    case "join":
      return `Join the list at ${place} to one text, with ${asJson(operation.by)} between.`;
    default:
      return `${operation.op} at ${place}`;
  }
}

const KINDS = { string: "a text", number: "a number", integer: "a whole number", boolean: "true or false" };

function placeOf(pointer) {
  if (pointer === "") return "the whole";
  return pointer.includes("*") ? `${pointer} (* is each of them)` : pointer;
}

const asJson = (value) => JSON.stringify(value);

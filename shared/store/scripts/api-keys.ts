import { Script } from "../script.ts";
import { flag, number, oneOf } from "../script-reply.ts";

const API_KEYS = ["keysByDigest", "digestsByName", "version"] as const;

export const addApiKey = new Script("add-api-key.lua", {
  keys: API_KEYS,
  // `apiKey`: the key as JSON, without its secret.
  args: { digest: "text", name: "text", apiKey: "text", keysMax: "number" },
  reply: oneOf(["added", "used", "full"]),
});

/** Reply: true if the key existed. */
export const removeApiKey = new Script("remove-api-key.lua", {
  keys: API_KEYS,
  args: { name: "text" },
  reply: flag,
});

/** Reply: requests so far. */
export const countRequest = new Script("count-request.lua", {
  keys: ["countOfMinute"],
  reply: number,
});

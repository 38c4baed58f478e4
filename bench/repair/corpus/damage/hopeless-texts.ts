import { isObject, isSameJson } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import type { Draw } from "../../seeded.ts";
import { schemaOf } from "../contract.ts";
import { plain, pretty, written } from "../damage.ts";
import type { Good, WholeDamage } from "../damage.ts";
import { enumOf, isNumber, settledPart, sitesOf, wordOf } from "../sites.ts";
import { nextOf, rewrittenOnce } from "./json-tokens.ts";

const hopeless = (
  name: string,
  why: string,
  how: (good: Good, draw: Draw) => string | undefined,
): WholeDamage => ({
  name,
  why,
  make: (good, draw) => {
    const text = how(good, draw);
    return text === undefined ? undefined : { text, right: { refusal: name } };
  },
});

/** Another value of the same contract that differs. */
function otherThan({ value, contract }: Good, draw: Draw): JsonValue | undefined {
  return Array.from({ length: 10 }, () => contract.make(draw)).find((one) => !isSameJson(one, value));
}

const isTextList = ({ value }: Good): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** A member whose value another answer has differently. Of a union another value could name another branch. */
function disputed({ value, contract }: Good, other: JsonValue | undefined): [string, JsonValue] | undefined {
  if (!isObject(value) || !isObject(other) || Array.isArray(contract.part["oneOf"])) return undefined;
  const rival: JsonObject = other;
  return Object.entries(value).flatMap(([name, one]): [string, JsonValue][] => {
    const second = rival[name];
    const isScalar =
      second !== undefined && typeof second !== "object" && one !== null && typeof one === typeof second;
    return isScalar && second !== one ? [[name, second]] : [];
  })[0];
}

export const HOPELESS_TEXTS: readonly WholeDamage[] = [
  hopeless("apology", "it holds no answer", (_, draw) =>
    draw.pick([
      "I'm sorry, but I can't help with that.",
      "I am not able to extract this information from the text.",
      "As an AI language model, I cannot access external files.",
      "Es tut mir leid, dazu kann ich keine Angaben machen.",
      "Je suis désolé, je ne peux pas répondre à cette demande.",
      "申し訳ありませんが、お手伝いできません。",
      "Lo siento, no puedo ayudar con eso.",
    ]),
  ),
  hopeless("question back", "it holds no answer", (_, draw) =>
    draw.pick([
      "Could you please provide the full text?",
      "Which of the two orders do you mean?",
      "I need more details before I can answer. What is the date?",
    ]),
  ),
  hopeless("promise of an answer", "it holds no answer", (_, draw) =>
    draw.pick([
      "Sure! I'll get started on that right away.",
      "Let me look that up for you.",
      "Here is the JSON:",
    ]),
  ),
  hopeless("error object", "it reports an error and holds no answer", (good, draw) =>
    isObject(good.value) || Array.isArray(good.value)
      ? plain(
          draw.pick<JsonValue>([
            { error: { message: "Rate limit exceeded", type: "rate_limit_error", code: 429 } },
            { error: "context_length_exceeded" },
            { detail: [{ loc: ["body"], msg: "field required", type: "value_error.missing" }] },
          ]),
        )
      : undefined,
  ),
  hopeless("refusal of a provider", "the content is empty and the refusal says why", () =>
    plain({ role: "assistant", content: null, refusal: "I'm sorry, I cannot assist with that request." }),
  ),
  hopeless("blocked by a filter", "the provider says that there is no answer", () =>
    plain({
      choices: [{ index: 0, finish_reason: "content_filter", message: { role: "assistant", content: "" } }],
    }),
  ),
  hopeless("empty answer", "nothing stands there", (_, draw) =>
    draw.pick(["", "  \n", "```json\n```", "<answer></answer>", "<think>done</think>"]),
  ),
  hopeless("empty object", "the required members are missing", ({ value }) =>
    isObject(value) ? "{}" : undefined,
  ),
  hopeless("schema instead of an answer", "it is the contract and no value", ({ contract }) =>
    pretty(structuredClone(schemaOf(contract)) as JsonValue),
  ),
  hopeless("base64", "encoded bytes are no answer that a reader may open", ({ value }) =>
    typeof value === "object" ? Buffer.from(plain(value)).toString("base64") : undefined,
  ),
  hopeless("nonsense", "it holds no answer", (good, draw) =>
    isTextList(good)
      ? undefined
      : draw.pick(["asdf jkl qwer", "}{][,,::", "lorem ipsum dolor sit amet", "�����", "{{{{{{"]),
  ),
  {
    isAlone: true,
    ...hopeless("two different answers", "nothing says which one is meant", (good, draw) => {
      const other = otherThan(good, draw);
      if (other === undefined || typeof good.value !== "object") return undefined;
      const [first, second] = [pretty(good.value), pretty(other)];
      if (/```/.test(first + second)) return undefined;
      return draw.pick([
        `${first}\n\n${second}`,
        `Option A:\n\`\`\`json\n${first}\n\`\`\`\n\nOption B:\n\`\`\`json\n${second}\n\`\`\``,
        `${first}\nor\n${second}`,
      ]);
    }),
  },
  {
    isAlone: true,
    ...hopeless("two different tool calls", "nothing says which one is meant", (good, draw) => {
      const other = otherThan(good, draw);
      if (!isObject(good.value) || other === undefined) return undefined;
      const name = good.contract.name.replaceAll("-", "_");
      const calls = [good.value, other].map((one, index) => ({
        id: `call_${index}`,
        type: "function",
        function: { name, arguments: plain(one) },
      }));
      return pretty({ role: "assistant", tool_calls: calls });
    }),
  },
  hopeless("member twice with different values", "nothing says which one is meant", (good, draw) => {
    const rival = disputed(good, otherThan(good, draw));
    if (rival === undefined) return undefined;
    return pretty(good.value).replace(/\n\}$/, () => `,\n  ${plain(rival[0])}: ${plain(rival[1])}\n}`);
  }),
  hopeless("lines with different values for one name", "nothing says which one is meant", (good, draw) => {
    const rival = disputed(good, otherThan(good, draw));
    if (rival === undefined || !isObject(good.value)) return undefined;
    const members = Object.entries(good.value);
    if (members.some(([, one]) => (typeof one === "object" && one !== null) || /\n/.test(wordOf(one))))
      return undefined;
    return [...members, rival].map(([name, one]) => `${name}: ${wordOf(one)}`).join("\n");
  }),
  hopeless("ellipsis between items", "items were left out, as it says itself", ({ value }, draw) =>
    typeof value === "object" && value !== null
      ? rewrittenOnce(
          written(value, draw),
          ({ text }, index, tokens) => text === "," && nextOf(tokens, index)?.kind !== "name",
          { pick: (all) => draw.find(all), how: () => ", ...," },
        )
      : undefined,
  ),
  hopeless(
    "comment for what was left out",
    "members were left out, as it says itself",
    ({ value, contract: { part } }) => {
      if (!isObject(value) || !Array.isArray(part["required"])) return undefined;
      const members = Object.entries(value);
      const kept = members.slice(0, 1);
      return members.length < 4
        ? undefined
        : pretty(Object.fromEntries(kept)).replace(/\n\}$/, ",\n  // ... remaining fields as before\n}");
    },
  ),
  hopeless("garbled number", "the number is cut off or garbled", ({ value, contract: { part } }, draw) => {
    const sites = sitesOf(value, part).filter((site) => isNumber(site) && site.holder !== undefined);
    if (sites.length === 0) return undefined;
    return rewrittenOnce(pretty(value), ({ kind }) => kind === "number", {
      pick: (all) => draw.find(all),
      how: ({ text }) => draw.pick([`${text}e+`, `${text}.5.1`, `${text}x9`, `-`]),
    });
  }),
  hopeless("two answers in prose", "both are named as possible", ({ value, contract: { part } }, draw) => {
    const members = enumOf(settledPart(value, part));
    if (members.length === 0)
      return typeof value === "boolean"
        ? "It could be **true**, but **false** is just as likely."
        : undefined;
    const second = draw.pick(members.filter((member) => member !== value));
    return draw.pick([
      `Either **${wordOf(value)}** or **${second}** would fit.`,
      `I am torn between "${wordOf(value)}" and "${second}".`,
    ]);
  }),
  hopeless("code that computes an answer", "running it is no reading", ({ value }) =>
    isObject(value)
      ? "import json\n\ndef extract(text):\n    return json.loads(text)\n\nprint(extract(open('input.txt').read()))"
      : undefined,
  ),
];

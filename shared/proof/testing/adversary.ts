import { isObject, leavesOf, scalarText, valueAt } from "#shared/schema";
import type { JsonObject, JsonValue, Leaf } from "#shared/schema";
import type { Quote } from "../second-reading.ts";
import type { Dice, Message } from "./messages.ts";

/** For tests: one way to make a lie of what a message says. Returns undefined where it finds nothing to do. */
type Lie = (truth: JsonObject, message: Message, dice: Dice) => JsonValue | undefined;

export const LIES: Readonly<Record<string, Lie>> = {
  "drops a member": (truth, _, dice) => without(truth, dice.pick(Object.keys(truth))),
  "empties a list": (truth) => mapped(truth, (one) => (Array.isArray(one) ? [] : one)),
  "keeps one of two": (truth) => mapped(truth, (one) => (Array.isArray(one) ? one.slice(0, 1) : one)),
  "keeps the last": (truth) => mapped(truth, (one) => (Array.isArray(one) ? one.slice(-1) : one)),
  "says one twice": (truth) =>
    mapped(truth, (one) => (Array.isArray(one) ? one.map(() => one[0] ?? null) : one)),
  "merges the items": (truth) =>
    mapped(truth, (one) => (Array.isArray(one) && one.length > 1 ? [one.map(scalarText).join(" ")] : one)),
  "takes the defaults": (truth, { schema }) => mapped(truth, (one, name) => defaultOf(schema, name) ?? one),
  "takes one default": (truth, { schema }, dice) => {
    const name = dice.pick(Object.keys(truth));
    return { ...truth, [name]: defaultOf(schema, name) ?? truth[name] ?? null };
  },
  "puts null": (truth, _, dice) => ({ ...truth, [dice.pick(Object.keys(truth))]: null }),
  "shortens a text": (truth, _, dice) =>
    atLeaf(truth, dice, (one) =>
      typeof one === "string"
        ? one
            .split(/(?<=\s)|(?<=\p{sc=Han})/u)
            .slice(0, -1)
            .join("")
            .trim()
        : one,
    ),
  "takes the middle of a text": (truth, _, dice) =>
    atLeaf(truth, dice, (one) => (typeof one === "string" ? one.split(" ").slice(1).join(" ") : one)),
  "exchanges two values": (truth, _, dice) => exchanged(truth, dice),
  "puts a value in another place": (truth, _, dice) => {
    const from = dice.pick(leavesOf(truth));
    return atLeaf(truth, dice, () => from.value);
  },
  negates: (truth, { schema }, dice) =>
    atLeaf(truth, dice, (one, leaf) =>
      typeof one === "boolean" ? !one : (other(schema, leaf, dice) ?? one),
    ),
  "takes another number of the text": (truth, { text }, dice) => {
    const numbers = (text.match(/\d+/g) ?? []).map(Number);
    return numbers.length === 0
      ? undefined
      : atLeaf(truth, dice, (one) => (typeof one === "number" ? dice.pick(numbers) : one));
  },
  "takes other words of the text": (truth, { text }, dice) =>
    atLeaf(truth, dice, (one) =>
      typeof one === "string" ? dice.pick(text.split(/[\s"{}:,]+/).filter(Boolean)) : one,
    ),
  "takes a whole sentence": (truth, { quotes }, dice) =>
    quotes.length === 0
      ? undefined
      : atLeaf(truth, dice, (one) => (typeof one === "string" ? dice.pick(quotes).text : one)),
  "drops all but one": (truth, _, dice) => {
    const name = dice.pick(Object.keys(truth));
    return { [name]: truth[name] ?? null };
  },
  "gives nothing": () => ({}),
};

function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

function mapped(value: JsonObject, change: (one: JsonValue, name: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one ?? null, name)]));
}

function atLeaf(value: JsonObject, dice: Dice, change: (one: JsonValue, leaf: Leaf) => JsonValue): JsonValue {
  const leaf = dice.pick(leavesOf(value));
  return put(value, leaf.steps, change(leaf.value, leaf));
}

function put(value: JsonValue, [step, ...rest]: readonly string[], to: JsonValue): JsonValue {
  if (step === undefined) return to;
  const inner = put(valueAt(value, [step]) ?? null, rest, to);
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === step ? inner : item));
  return isObject(value) ? { ...value, [step]: inner } : to;
}

function exchanged(value: JsonObject, dice: Dice): JsonValue | undefined {
  const leaves = leavesOf(value).filter((leaf) => typeof leaf.value !== "object");
  if (leaves.length < 2) return undefined;
  const [one, two] = [dice.pick(leaves), dice.pick(leaves)];
  return put(put(value, one.steps, two.value), two.steps, one.value);
}

function schemaOf(schema: Message["schema"], name: string): JsonObject {
  return (valueAt(schema as JsonObject, ["properties", name]) ?? {}) as JsonObject;
}

function defaultOf(schema: Message["schema"], name: string): JsonValue | undefined {
  return schemaOf(schema, name)["default"];
}

function other(schema: Message["schema"], leaf: Leaf, dice: Dice): JsonValue | undefined {
  const listed = schemaOf(schema, leaf.steps[0] ?? "")["enum"];
  return Array.isArray(listed) ? dice.pick(listed) : undefined;
}

/** Ways in which a liar quotes: as an honest reader would, wider, narrower, the same again and again, or not at all. */
export const QUOTING: Readonly<
  Record<string, (message: Message, lie: JsonValue, dice: Dice) => readonly Quote[]>
> = {
  honestly: ({ quotes }) => quotes,
  "all of it for each value": ({ text }, lie) => leavesOf(lie).map(({ path }) => ({ path, text })),
  "each sentence for each value": ({ quotes }, lie) =>
    leavesOf(lie).flatMap(({ path }) => quotes.map((one) => ({ path, text: one.text }))),
  "one sentence for all": ({ quotes, text }, lie) =>
    leavesOf(lie).map(({ path }) => ({ path, text: quotes[0]?.text ?? text })),
  "across two sentences": ({ text }, lie) =>
    leavesOf(lie).map(({ path }) => ({ path, text: text.slice(3, -3) })),
  "two at a time": ({ quotes }, lie) =>
    leavesOf(lie).map(({ path }, at) => ({
      path,
      text: `${quotes[at]?.text ?? ""} ${quotes[at + 1]?.text ?? ""}`,
    })),
  "as saying nothing": ({ quotes }) => quotes.map((one) => ({ path: null, text: one.text })),
  "a letter of each": ({ quotes }, lie) =>
    leavesOf(lie).flatMap(({ path }) => quotes.map((one) => ({ path, text: one.text.slice(0, 2) }))),
  "not at all": () => [],
};

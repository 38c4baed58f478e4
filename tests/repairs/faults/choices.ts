import fc from "fast-check";
import type { JsonSchema } from "#shared/json";
import { boolean, closed, integer, list, number, oneOf, text } from "../contracts.ts";
import { frame } from "./arbitraries.ts";
import type { FaultCase, FaultClass } from "./arbitraries.ts";

/** What models say instead of an answer, in the languages that they answer in most. */
const NOES: readonly string[] = [
  "I am not able to list any cities.",
  "I'm sorry, but I can't help with that request.",
  "Sorry, that is beyond what I can do.",
  "Unfortunately, the document does not mention it.",
  "I don't have access to live data.",
  "I was unable to find any results.",
  "As an AI language model, I cannot browse the web.",
  "There is not enough information to answer.",
  "I must decline this request.",
  "Es tut mir leid, aber das kann ich nicht beantworten.",
  "Leider liegen mir dazu keine Daten vor.",
  "Ich kann diese Anfrage nicht bearbeiten.",
  "Entschuldigung, das ist nicht möglich.",
  "Je suis désolé, mais je ne peux pas vous aider.",
  "Malheureusement, aucune ville n'est indiquée.",
  "Désolé, je n'ai pas accès à ces données.",
  "Lo siento, no puedo ayudar con eso.",
  "Lamentablemente no tengo esa información.",
  "No tengo acceso a esos datos.",
  "Desculpe, não posso ajudar com isso.",
  "Infelizmente, não tenho essa informação.",
  "Lamento, mas não é possível.",
  "Mi dispiace, non posso aiutarti.",
  "Purtroppo non ho queste informazioni.",
  "Het spijt me, daar kan ik niet bij helpen.",
  "Helaas heb ik geen toegang tot die gegevens.",
  "Beklager, det kan jeg ikke svare på.",
  "Tyvärr kan jag inte hjälpa till med det.",
  "Przepraszam, nie mogę w tym pomóc.",
  "Niestety nie mam dostępu do tych danych.",
  "Извините, я не могу помочь с этим.",
  "К сожалению, у меня нет таких данных.",
  "申し訳ありませんが、お答えできません。",
  "すみません、その情報はありません。",
  "抱歉，我无法回答这个问题。",
  "对不起，我没有相关信息。",
  "很抱歉，我不能提供该信息。",
  "죄송합니다. 도와드릴 수 없습니다.",
  "안타깝게도 해당 정보가 없습니다.",
  "عذرًا، لا أستطيع المساعدة في ذلك.",
  "आप क्षमा करें, मैं इसमें मदद नहीं कर सकता।",
  "Üzgünüm, bu konuda yardımcı olamam.",
  "Maalesef bu bilgiye sahip değilim.",
];

const SAID: readonly ((no: string) => string)[] = [
  (no) => no,
  (no) => no,
  (no) => `"${no}"`,
  (no) => `**${no}**`,
  (no) => `Answer: ${no}`,
  (no) => `\`\`\`\n${no}\n\`\`\``,
  (no) => `- ${no}`,
  (no) => `> ${no}`,
  (no) => `${no}\n\n${no}`,
  (no) => no.replace(/[.。।]$/, ""),
  (no) => `${no} Is there anything else?`,
  (no) => `<answer>${no}</answer>`,
  (no) => `["${no}"]`.slice(1, -1),
];

/** Contracts that any text would fit if it were wrapped. */
const WRAPPING: readonly JsonSchema[] = [
  list(text),
  closed({ cities: list(text) }),
  closed({ answer: text }),
  closed({ result: closed({ answer: text }) }),
  list(closed({ name: text })),
  closed({ answer: text, notes: text }, ["answer"]),
  { anyOf: [list(text), { type: "null" }] },
  { anyOf: [closed({ answer: text }), closed({ error_code: integer })] },
  { type: "object", additionalProperties: text, minProperties: 1 },
  integer,
  number,
  boolean,
  oneOf("open", "closed"),
  { type: "array", items: text, minItems: 1 },
  { type: "null" },
];

/** An apology alone. */
const apologies: fc.Arbitrary<FaultCase> = fc
  .record({
    no: fc.constantFrom(...NOES),
    say: fc.constantFrom(...SAID),
    schema: fc.constantFrom(...WRAPPING),
  })
  .map(({ no, say, schema }) => ({ text: say(no), schema, value: undefined }));

export const APOLOGIES: FaultClass = { cases: apologies, leastRead: 0 };

/** An apology in the place of a list, an object or a number within an answer. */
const apologiesInside: fc.Arbitrary<FaultCase> = fc
  .record({
    no: fc.constantFrom(...NOES),
    inner: fc.constantFrom<JsonSchema>(
      list(text),
      closed({ name: text }),
      integer,
      boolean,
      oneOf("open", "closed"),
      list(closed({ name: text })),
    ),
    write: fc.constantFrom<(no: string) => string>(
      (no) => JSON.stringify({ id: 7, data: no }),
      (no) => `{"id": 7, "data": ${JSON.stringify(no)},}`,
      (no) => `{id: 7, data: '${no.replaceAll("'", "’")}'}`,
      (no) => `id: 7\ndata: ${no}`,
    ),
    frame,
  })
  .map(({ no, inner, write, frame: framed }) => ({
    text: framed(write(no)),
    schema: closed({ id: integer, data: inner }),
    value: undefined,
  }));

export const APOLOGIES_INSIDE: FaultClass = { cases: apologiesInside, leastRead: 0 };

/** Members of enums, some of them inside one another, with accents, in several words. */
const ENUMS: readonly (readonly string[])[] = [
  ["keep", "drop"],
  ["keep", "drop", "defer"],
  ["low", "medium", "high"],
  ["in progress", "done", "not started"],
  ["IN_TRANSIT", "DELIVERED", "LOST"],
  ["open", "reopened", "closed"],
  ["café", "thé", "eau"],
  ["en", "de", "fr"],
  ["A", "B", "C"],
  ["pro", "pro plus", "free"],
  ["ja", "nein", "vielleicht"],
];

/** How a text names two things without choosing. */
const BOTH: readonly ((one: string, other: string) => string)[] = [
  (one, other) => `${one}|${other}`,
  (one, other) => `${one} | ${other}`,
  (one, other) => `${one}/${other}`,
  (one, other) => `${one} / ${other}`,
  (one, other) => `${one} or ${other}`,
  (one, other) => `${one} oder ${other}`,
  (one, other) => `${one} ou ${other}`,
  (one, other) => `${one}, ${other}`,
  (one, other) => `${one}; ${other}`,
  (one, other) => `${one} and ${other}`,
  (one, other) => `${one} & ${other}`,
  (one, other) => `${one} + ${other}`,
  (one, other) => `${one} (or ${other})`,
  (one, other) => `${one} (${other})`,
  (one, other) => `${one} vs ${other}`,
  (one, other) => `either ${one} or ${other}`,
  (one, other) => `between ${one} and ${other}`,
  (one, other) => `Answer: ${one} or ${other}`,
  (one, other) => `It is **${one}** or **${other}**.`,
  (one, other) => `**${one}** / **${other}**`,
  (one, other) => `"${one}" or "${other}"`,
  (one, other) => `["${one}", "${other}"]`,
  (one, other) => `[${one}, ${other}]`,
  (one, other) => `${one}\n${other}`,
  (one, other) => `- ${one}\n- ${other}`,
  (one, other) => `"${one}"\n"${other}"`,
  (one, other) => `\`${one}\` or \`${other}\``,
  (one, other) => `${one} → ${other}`,
  (one, other) => `${one} - ${other}`,
  (one, other) => `${one}/${other}/`,
  (one, other) => `${one}、${other}`,
  (one, other) => `{"value": "${one}", "value": "${other}"}`,
  (one, other) => `{"${one}": true, "${other}": true}`,
];

const PLACES: readonly ((said: string) => string)[] = [
  (said) => said,
  (said) => said,
  (said) => `{"state": ${JSON.stringify(said)}}`,
  (said) => `{"state": ${JSON.stringify(said)},}`,
  (said) => `{"state": {"value": ${JSON.stringify(said)}}}`,
  (said) => `state: ${said.replaceAll("\n", " / ")}`,
  (said) => `{'state': ['${said.replaceAll("'", "")}']}`,
];

/** Two members of an enum, or two constants of a union. */
const twoMembers: fc.Arbitrary<FaultCase> = fc
  .record({
    members: fc.constantFrom(...ENUMS),
    order: fc.nat(5),
    both: fc.constantFrom(...BOTH),
    place: fc.constantFrom(...PLACES),
    respell: fc.constantFrom<(one: string) => string>(
      (one) => one,
      (one) => one.toUpperCase(),
      (one) => one[0]?.toUpperCase() + one.slice(1),
    ),
    isUnion: fc.boolean(),
  })
  .map(({ members, order, both, place, respell, isUnion }) => {
    const one = members[order % members.length] ?? "";
    const other = members[(order + 1) % members.length] ?? "";
    const state: JsonSchema = isUnion
      ? { anyOf: members.map((member) => ({ const: member })) }
      : { enum: [...members] };
    const said = place(both(respell(one), respell(other)));
    return {
      text: said,
      schema: /^\{['"]?state|^state:/.test(said) ? closed({ state }) : state,
      value: undefined,
    };
  });

export const TWO_MEMBERS: FaultClass = { cases: twoMembers, leastRead: 0 };

/** Two numbers, dates or answers for one. */
const twoScalars: fc.Arbitrary<FaultCase> = fc
  .record({
    pair: fc.constantFrom<readonly [string, string, JsonSchema]>(
      ["5", "6", integer],
      ["1.5", "2.5", number],
      ["12", "140", integer],
      ["yes", "no", boolean],
      ["true", "false", boolean],
      ["Yes", "No", boolean],
      ["2025-01-02", "2025-02-03", { type: "string", format: "date" }],
    ),
    both: fc.constantFrom(...BOTH.slice(0, 27)),
    place: fc.constantFrom(...PLACES),
  })
  .filter(({ pair: [one], both }) => !(/^\d/.test(one) && /^\D?\d+\D\d+$/.test(both("1", "2"))))
  .map(({ pair: [one, other, schema], both, place }) => {
    const said = place(both(one, other));
    return {
      text: said,
      schema: /^\{['"]?state|^state:/.test(said) ? closed({ state: schema }) : schema,
      value: undefined,
    };
  });

export const TWO_SCALARS: FaultClass = { cases: twoScalars, leastRead: 0 };

/** Two alternatives of a union, told apart by a constant. */
const twoAlternatives: fc.Arbitrary<FaultCase> = fc
  .record({
    both: fc.constantFrom(...BOTH.slice(0, 20)),
    write: fc.constantFrom<(said: string) => string>(
      (said) => `{"type": ${JSON.stringify(said)}, "ref": "4242"}`,
      (said) => `{'type': '${said.replaceAll("'", "")}', 'ref': '4242',}`,
      (said) => `type: ${said.replaceAll("\n", " / ")}\nref: "4242"`,
    ),
    frame,
  })
  .map(({ both, write, frame: framed }) => ({
    text: framed(write(both("card", "iban"))),
    schema: {
      anyOf: ["card", "iban"].map((name) => closed({ type: { const: name }, ref: text })),
    },
    value: undefined,
  }));

export const TWO_ALTERNATIVES: FaultClass = { cases: twoAlternatives, leastRead: 0 };

import type { TextDamage } from "../damage.ts";

const LATIN = [
  ["Here is the JSON you asked for:", "Let me know if you need anything else!"],
  ["Hier ist das Ergebnis:", "Ich hoffe, das hilft!"],
  ["Voici la réponse au format JSON :", "N'hésitez pas si vous avez des questions."],
  ["Aquí está el resultado:", "¿Necesitas algo más?"],
  ["Aqui está o JSON solicitado:", "Espero ter ajudado."],
  ["Ecco il risultato:", "Fammi sapere se serve altro."],
  ["Hier is het resultaat:", "Laat het me weten als er vragen zijn."],
  ["Oto wynik:", "Daj znać, jeśli coś jest niejasne."],
  ["İşte sonuç:", "Başka bir şey var mı?"],
] as const;

const OTHER = [
  ["Вот результат:", "Если нужно что-то ещё, напишите."],
  ["以下是结果：", "希望对您有帮助！"],
  ["以下が結果です。", "ご不明な点があればお知らせください。"],
  ["다음은 결과입니다:", "더 필요하신 것이 있나요?"],
  ["إليك النتيجة:", "هل تحتاج إلى شيء آخر؟"],
  ["यह रहा परिणाम:", "और कुछ चाहिए?"],
] as const;

const fenced = (text: string, info: string): string => `\`\`\`${info}\n${text}\n\`\`\``;

/** A mark that ends the fence early would make the frame ambiguous. */
const isFree = (text: string, pattern: RegExp): boolean => !pattern.test(text);

/** What models put around an answer. */
export const FRAMES: readonly TextDamage[] = [
  {
    name: "fence",
    why: "the fence holds the answer and nothing else",
    takes: "any",
    apply: (text, draw) =>
      isFree(text, /```/) ? fenced(text, draw.pick(["json", "", "JSON", "json5", "jsonc"])) : undefined,
  },
  {
    name: "tilde fence",
    why: "the fence holds the answer and nothing else",
    takes: "any",
    apply: (text) => (isFree(text, /~~~/) ? `~~~json\n${text}\n~~~` : undefined),
  },
  {
    name: "fence with prose around",
    why: "the only fence holds the answer",
    takes: "any",
    apply: (text, draw) =>
      isFree(text, /```/)
        ? `${draw.pick(["Sure!", "Based on the message, I extracted the following:", "Certainly, here you go."])}\n\n${fenced(text, "json")}\n\n${draw.pick(["Fields that were not mentioned are left out.", "**Note:** amounts [if any] are as {stated}.", "Hope this helps!"])}`
        : undefined,
  },
  {
    name: "fence never closed",
    why: "the answer itself is complete",
    takes: "brackets",
    apply: (text) => (isFree(text, /```/) ? `\`\`\`json\n${text}` : undefined),
  },
  {
    name: "frame in a Latin script",
    why: "the sentences before and after hold no data",
    takes: "brackets",
    apply: (text, draw) => {
      const [before, after] = draw.pick(LATIN);
      return draw.pick([`${before}\n\n${text}\n\n${after}`, `${before}\n${text}`, `${before} ${text}`]);
    },
  },
  {
    name: "frame in another script",
    why: "the sentences before and after hold no data",
    takes: "brackets",
    apply: (text, draw) => {
      const [before, after] = draw.pick(OTHER);
      return draw.pick([`${before}\n\n${text}\n\n${after}`, `${before}\n${text}`, `${before} ${text}`]);
    },
  },
  {
    name: "reasoning with a draft",
    why: "what stands between reasoning tags is no answer",
    takes: "any",
    apply: (text, draw) => {
      const tag = draw.pick(["think", "thinking", "reasoning", "scratchpad"]);
      return `<${tag}>\nThe schema wants an object. Something like {"a": 1, "b": [2]}? No, better look again.\n</${tag}>\n\n${text}`;
    },
  },
  {
    name: "reasoning with its closing tag alone",
    why: "what stands before a closing reasoning tag is no answer",
    takes: "any",
    apply: (text) =>
      `Okay, the user wants JSON. Let me read the text again: it mentions [two] things.\n</think>\n\n${text}`,
  },
  {
    name: "answer element",
    why: "the element is named for what it holds",
    takes: "any",
    apply: (text, draw) => {
      const tag = draw.pick(["answer", "output", "json", "result", "response", "final_answer"]);
      return isFree(text, /<\/?[a-z]/i) ? `<${tag}>\n${text}\n</${tag}>` : undefined;
    },
  },
  {
    name: "label before the answer",
    why: "the label announces the answer and is no data",
    takes: "brackets",
    apply: (text, draw) =>
      `${draw.pick(["Answer:", "**Answer:**", "Output:", "### Result\n", "JSON:", "Final answer:"])} ${text}`,
  },
  {
    name: "chain of thought in prose",
    why: "the sentences hold no value of a member, and one JSON text follows",
    takes: "brackets",
    apply: (text) =>
      `First, I read the text carefully. Then I looked for each field.\nStep 3: write it down.\n\nSo the final answer is:\n${text}`,
  },
  {
    name: "inline code",
    why: "the code marks hold the answer",
    takes: "json",
    apply: (text) => (isFree(text, /[`\n]/) ? `The result is \`${text}\`.` : undefined),
  },
  {
    name: "notes after the answer",
    why: "the answer is complete before the notes begin",
    takes: "brackets",
    apply: (text) =>
      `${text}\n\nNotes:\n- Dates are in ISO 8601.\n- I assumed {nothing} beyond the [source] text.`,
  },
  {
    name: "apology after the answer",
    why: "the answer is complete, and the apology is about its form",
    takes: "brackets",
    apply: (text) => `${text}\n\nI apologize for the earlier formatting error.`,
  },
  {
    name: "answer given twice",
    why: "both are the same",
    takes: "brackets",
    apply: (text, draw) => `${text}${draw.pick(["\n\n", "\n\nOr, again:\n\n", "\n---\n"])}${text}`,
  },
  {
    name: "copy button",
    why: "the first lines are labels of the page that the answer was copied from",
    takes: "brackets",
    apply: (text) => `json\nCopy code\n${text}`,
  },
  {
    name: "prose around lines",
    why: "empty lines part the prose from the lines, and it names no member",
    takes: "lines",
    apply: (text, draw) => {
      const before = draw.pick([
        "Here are the details I found:",
        "I extracted the following from the message.",
        "**Extracted data**",
      ]);
      return `${before}\n\n${text}${draw.pick(["", "\n\nLet me know if anything is missing!"])}`;
    },
  },
  {
    name: "block quote",
    why: "every line begins with the mark of a quotation",
    takes: "brackets",
    apply: (text) => (text.includes("\n") ? `As requested:\n\n${text.replaceAll(/^/gm, "> ")}` : undefined),
  },
];

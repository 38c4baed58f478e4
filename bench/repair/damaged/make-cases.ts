import type { JsonValue } from "#shared/schema";
import type { Case } from "../case.ts";
import { subjects } from "../contracts.ts";
import type { Subject } from "../contracts.ts";
import { Draw } from "../seeded.ts";
import { makeAnswer } from "./make-answer.ts";
import { AROUND_ANSWER, plain, pretty, STYLES, TEXT_HOPELESS, TEXT_MENDABLE } from "./text-damage.ts";
import { HOPELESS } from "./hopeless.ts";
import { MENDABLE } from "./value-damage.ts";

interface Making {
  readonly subject: Subject;
  readonly answer: JsonValue;
  readonly draw: Draw;
  readonly number: number;
}

/**
 * Good answers to every contract, damaged in every way and in several at once. The same cases for the same
 * seed.
 */
export function makeCases(seed: number): Case[] {
  return subjects().flatMap((subject, index) => {
    const draw = new Draw(seed * 1000 + index);
    return Array.from({ length: 2 }, (_, number) => {
      const answer = makeAnswer(subject.schema, draw);
      return answer === undefined ? [] : damaged({ subject, answer, draw, number });
    }).flat();
  });
}

function damaged({ subject, answer, draw, number }: Making): Case[] {
  const right = { value: answer };
  const made: (Case | undefined)[] = [];
  const add = (names: readonly string[], input: string | undefined, outcome: Case["right"]): void => {
    const [name = ""] = names;
    made.push(
      input === undefined
        ? undefined
        : {
            id: `${names.join(" + ")}/${subject.name} ${number}`,
            class: name,
            input,
            schema: subject.schema,
            right: outcome,
          },
    );
  };
  for (const { name, apply } of MENDABLE) {
    const value = apply(answer, subject, draw);
    if (value === undefined) continue;
    const second = draw.pick(MENDABLE.slice(0, 14));
    const twice =
      second.name === name || /wrapped|list|tool|json text|^name/.test(name)
        ? undefined
        : second.apply(value, subject, draw);
    const style = draw.pick(STYLES);
    const around = draw.pick(AROUND_ANSWER);
    add([name], pretty(value), right);
    if (number === 0) add([name, style.name], style.write(value), right);
    if (twice !== undefined) add([name, second.name, around.name], around.apply(pretty(twice), draw), right);
  }
  for (const { name, write } of STYLES) {
    const around = draw.pick(AROUND_ANSWER.slice(0, 5));
    add([name], write(answer), right);
    const text = write(answer);
    if (text !== undefined) add([name, around.name], around.apply(text, draw), right);
  }
  for (const { name, apply } of TEXT_MENDABLE) {
    const text = apply(pretty(answer), draw);
    if (text === undefined || text === pretty(answer)) continue;
    const around = draw.pick(AROUND_ANSWER);
    add([name], text, right);
    if (name !== "missing closers" && name !== "one closer too many")
      add([name, around.name], around.apply(text, draw), right);
  }
  for (const { name, apply } of AROUND_ANSWER)
    add([name], apply(draw.next() < 0.5 ? plain(answer) : pretty(answer), draw), right);
  for (const { name, apply } of HOPELESS) {
    const value = apply(answer, subject, draw);
    if (value === undefined) continue;
    const around = draw.pick(AROUND_ANSWER);
    add([name], pretty(value), { refusal: name });
    if (number === 0) add([name, around.name], around.apply(plain(value), draw), { refusal: name });
  }
  for (const { name, apply } of TEXT_HOPELESS) add([name], apply(pretty(answer), draw), { refusal: name });
  return made.filter((one) => one !== undefined);
}

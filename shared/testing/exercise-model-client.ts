import { describe, expect, test } from "vitest";
import { dropAddedNulls } from "#shared/model";
import type { ModelAnswer, ModelCall, ModelClient } from "#shared/model";

/** What the suite needs to know about the endpoint behind a client. */
export interface ModelClientExercise {
  /** Makes a client of a healthy endpoint. The suite closes it. */
  readonly makeClient: () => Promise<ModelClient> | ModelClient;
  /** A question that the endpoint answers with `{ "greeting": string }`, or the like, under the call's schema. */
  readonly call: Omit<ModelCall, "signal">;
  /** Whether parsed text is a good answer to `call`. */
  readonly isGoodAnswer: (answer: unknown) => boolean;
}

/** The promises of `ModelClient` that hold on any endpoint, real or rehearsed. Call it inside a test file. */
export function exerciseModelClient(name: string, exercise: ModelClientExercise): void {
  describe(`${name} keeps the promises of a model client`, () => {
    test("answers with JSON under the schema, with usage, cost and the model's name", async () => {
      const client = await exercise.makeClient();
      const answer = await client.ask({ ...exercise.call, signal: new AbortController().signal });
      expect(isGood(exercise, answer)).toBe(true);
      expect(answer.finish).toBe("stop");
      expect(answer.model).not.toBe("");
      expect(answer.usage.input_tokens).toBeGreaterThan(0);
      expect(answer.usage.output_tokens).toBeGreaterThan(0);
      expect(answer.cost).toBeGreaterThan(0);
      expect(answer.durationMs).toBeGreaterThanOrEqual(0);
      client.close();
    });

    test("answers a re-ask in the same form", async () => {
      const client = await exercise.makeClient();
      const reask = { previousAnswer: "{", problems: "/: the JSON ends too early" };
      const answer = await client.ask({ ...exercise.call, reask, signal: new AbortController().signal });
      expect(isGood(exercise, answer)).toBe(true);
      client.close();
    });

    test("answers many questions at once", async () => {
      const client = await exercise.makeClient();
      const { signal } = new AbortController();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => client.ask({ ...exercise.call, signal })),
      );
      expect(answers.every((answer) => isGood(exercise, answer))).toBe(true);
      client.close();
    });

    test("rejects with the caller's own reason when the caller has given up before or gives up meanwhile", async () => {
      const client = await exercise.makeClient();
      const reason = new Error("no longer wanted");
      await expect(client.ask({ ...exercise.call, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      const controller = new AbortController();
      const asked = client.ask({ ...exercise.call, signal: controller.signal });
      controller.abort(reason);
      await expect(asked).rejects.toBe(reason);
      client.close();
    });

    test("times out as a time-out", async () => {
      const client = await exercise.makeClient();
      const asked = client.ask({ ...exercise.call, timeoutMs: 0, signal: new AbortController().signal });
      // A limit of no time is over before a connection is there.
      await expect(asked).rejects.toMatchObject({ code: "MODEL_TIMEOUT", failureClass: "timeout" });
      client.close();
    });

    test("is unavailable once it is closed", async () => {
      const client = await exercise.makeClient();
      client.close();
      const asked = client.ask({ ...exercise.call, signal: new AbortController().signal });
      await expect(asked).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE", failureClass: "unavailable" });
    });
  });
}

/** Strict mode has models write null for what they leave out. */
function isGood({ call, isGoodAnswer }: ModelClientExercise, { text }: ModelAnswer): boolean {
  return isGoodAnswer(dropAddedNulls(JSON.parse(text), call.jsonSchema));
}

import { z } from "zod";
import { readJson } from "#shared/json";
import type { StandIn } from "#shared/runtime";

const questionSchema = z.object({ message: z.string() });

const REMEMBERED_MAX = 2000;

/** Stand-in of the strong model: knows the good answers that this server damaged; else says that no model is set. */
export class SurgeonStandIn {
  private readonly good = new Map<string, unknown>();

  /** Remembers the good answer in whose place a damaged text is sent. */
  remember(damaged: string, answer: unknown): void {
    this.good.set(keyOf(damaged), answer);
    const [oldest] = this.good.keys();
    if (this.good.size > REMEMBERED_MAX && oldest !== undefined) this.good.delete(oldest);
  }

  /** Answers of the steps `repair` and `read`: a whole payload as JSON, empty where none is known. */
  readonly steps: Readonly<Record<string, StandIn>> = {
    repair: (question: unknown) => {
      const payload = this.recall(question);
      const isKnown = payload !== "";
      const reason = isKnown ? "This answer was damaged on purpose." : "No model is set.";
      return { verdict: isKnown ? "repaired" : "irreparable", payload, quotes: [], reason, recipe: null };
    },
    read: (question: unknown) => ({ quotes: [], payload: this.recall(question) }),
  };

  private recall(input: unknown): string {
    const question = questionSchema.safeParse(input);
    // The question quotes a message between lines with marks, which are no part of it.
    const text = question.success ? question.data.message.replaceAll(/^<<.*>>$/gm, "") : "";
    const found = this.good.get(keyOf(text));
    return found === undefined ? "" : JSON.stringify(found);
  }
}

/** JSON in one form, however it is set; other text as it is. */
function keyOf(text: string): string {
  const value = readJson(text);
  return value === undefined ? text.trim() : JSON.stringify(value);
}

import { z } from "zod";
import { servedAgent } from "#shared/a2a";
import { contract } from "#shared/contract";

export const Page = contract(
  "served.page@1",
  z.strictObject({ text: z.string(), forMs: z.int(), usd: z.number() }),
);
export const Words = contract("served.words@1", z.strictObject({ words: z.array(z.string()) }));

/** Tells of each thing that happens to it, as what it is asked says: for tests that look from outside. */
export default servedAgent("reader@1", {
  accepts: Page,
  answers: Words,
  concurrency: 2,
  async handle({ text, forMs, usd }, { messageId, signal, bill }) {
    tell(`began ${messageId}`);
    bill({ usd, tokens: 3 });
    signal.addEventListener("abort", () => tell(`aborted ${messageId}`));
    await new Promise((resolve) => setTimeout(resolve, forMs));
    tell(`ended ${messageId}`);
    if (text === "crash") throw new Error("an error that holds sk-secret-words");
    return { words: text.split(" ") };
  },
});

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

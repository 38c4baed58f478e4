import { describe, expect, it } from "vitest";
import { compress } from "./compress.ts";
import { packetText } from "./packet.ts";
import { FACTS, longConversation, summaryOfFacts } from "./testing/long-conversation.ts";
import { memoryContext } from "./testing/memory-context.ts";
import { countInPieces, loadTokenCounter } from "./tokens.ts";

describe("loadTokenCounter", () => {
  it("counts as the model's own table does, whatever words of its maker stand in the text", async () => {
    const [newer, older] = await Promise.all([
      loadTokenCounter("gpt-5-mini"),
      loadTokenCounter("gpt-4-turbo"),
    ]);
    expect(newer("Hello, world!")).toBe(4);
    expect(older("Hello, world!")).toBe(4);
    expect(newer("")).toBe(0);
    expect(newer("a <|endoftext|> b")).toBeGreaterThan(3);
  });

  it("never hands the table a run that it would take long over, and leaves out nothing of the text", () => {
    const pieces: string[] = [];
    const text = `short ${"a".repeat(100_000)} ${" ".repeat(70_000)}end`;
    countInPieces(text, (piece) => pieces.push(piece));
    expect(pieces.join("")).toBe(text);
    expect(pieces.some((piece) => /\S{65}|\s{65}/.test(piece))).toBe(false);
  });

  it("makes of fifty turns and thirty thousand tokens less than five hundred, with every fact", async () => {
    const count = await loadTokenCounter("gpt-5-mini");
    const history = longConversation(50, 34);
    expect(count(JSON.stringify(history))).toBeGreaterThan(30_000);
    const ctx = { ...memoryContext({ history }, summaryOfFacts), tokenCounter: () => Promise.resolve(count) };
    const { packet } = await compress(ctx, { strategy: { kind: "rolling_summary" }, tokensMax: 600 });
    expect(count(packetText(packet))).toBeLessThan(500);
    const text = packetText(packet);
    expect(FACTS.flatMap(({ words }) => words).filter((word) => !text.includes(word))).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { compress } from "./compress.ts";
import { ContextDefinitionError, ContextTooLargeError } from "./errors.ts";
import { packetText } from "./packet.ts";
import { FACTS, longConversation, summaryOfFacts } from "./testing/long-conversation.ts";
import { memoryContext } from "./testing/memory-context.ts";

const words = FACTS.flatMap((fact) => fact.words);

describe("a conversation of fifty turns and thirty thousand tokens", () => {
  const history = longConversation();

  it.each(["rolling_summary", "recent_window"] as const)(
    "becomes a packet of less than 500 tokens with every fact in it, by %s",
    async (kind) => {
      const ctx = memoryContext({ history }, summaryOfFacts);
      const { packet, tokens } = await compress(ctx, { strategy: { kind }, tokensMax: 600 });
      expect(tokens).toBeLessThan(500);
      const text = packetText(packet);
      expect(words.filter((word) => !text.includes(word))).toEqual([]);
      expect(packet.transcript).toMatchObject({
        uri: `suture:message/${ctx.envelope.meta.message_id}`,
        turns: 50,
      });
    },
  );
});

describe("compress", () => {
  it("keeps the transcript where its author says, once, as bytes that can be read again", async () => {
    const kept: Uint8Array[] = [];
    const { packet } = await compress(memoryContext({ history: longConversation(4, 2) }), {
      strategy: { kind: "truncation" },
      tokensMax: 500,
      keepTranscript: async (bytes) => {
        kept.push(bytes);
        return { uri: "https://files.example/t1", sha256: "0".repeat(64) };
      },
    });
    expect(packet.transcript).toEqual({ uri: "https://files.example/t1", sha256: "0".repeat(64), turns: 4 });
    expect(kept).toHaveLength(1);
  });

  it("refuses a budget that can hold nothing, and a conversation longer than it may read", async () => {
    const ctx = memoryContext({ history: longConversation() });
    await expect(compress(ctx, { strategy: { kind: "truncation" }, tokensMax: 10 })).rejects.toThrow(
      ContextDefinitionError,
    );
    await expect(
      compress(ctx, { strategy: { kind: "rolling_summary" }, tokensMax: 500, portionTokensMax: 100 }),
    ).rejects.toThrow(ContextTooLargeError);
  });
});

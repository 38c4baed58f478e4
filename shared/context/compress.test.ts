import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HistoryMessage } from "#shared/envelope";
import { compress } from "./compress.ts";
import { foldEntity } from "./entities.ts";
import { ContextDefinitionError, ContextTooLargeError } from "./errors.ts";
import { packetText } from "./packet.ts";
import type { CompressionStrategy } from "./summaries.ts";
import { FACTS, longConversation, summaryOfFacts } from "./testing/long-conversation.ts";
import { countRoughly, memoryContext } from "./testing/memory-context.ts";
import { ceilingOf } from "./tokens.ts";

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

const strategies = fc.constantFrom<CompressionStrategy>(
  { kind: "rolling_summary" },
  { kind: "hierarchical_summary", detail: "executive_summary" },
  { kind: "hierarchical_summary", detail: "key_points" },
  { kind: "hierarchical_summary", detail: "full" },
  { kind: "recent_window", turns: 3 },
  { kind: "truncation" },
  { kind: "field_extraction", fields: ["/order", "/items/*/id"] },
);

const pieces = fc.constantFrom(
  "Order AB-10023 arrived broken.",
  "I paid 49.90 EUR on 18 August 2026.",
  "Thanks, how are you?",
  "Write to ada@mail.example.",
  '{"order":"ZZ-9","debug":[1,2,3]}',
  "Dr. Anna Berg takes 5 mg daily.",
  "\u{1F600} \uD83D 漢字 ﷽",
  "x".repeat(90),
);
const content = fc
  .array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 30 })), { maxLength: 12 })
  .map((parts) => parts.join(" "));
const turn = fc.record({
  role: fc.constantFrom<HistoryMessage["role"]>("user", "assistant", "tool"),
  content,
});
const history = fc.array(turn, { maxLength: 25 });
const tokensMax = fc.integer({ min: 200, max: 1500 });

describe("compress, whatever the conversation", () => {
  it("is never over 80 % of its budget", async () => {
    await fc.assert(
      fc.asyncProperty(history, strategies, tokensMax, async (said, strategy, budget) => {
        const { packet, tokens } = await compress(memoryContext({ history: said }), {
          strategy,
          tokensMax: budget,
        });
        expect(countRoughly(packetText(packet))).toBeLessThanOrEqual(ceilingOf(budget));
        expect(tokens).toBe(countRoughly(packetText(packet)));
      }),
      { numRuns: 60 },
    );
  });

  it("names nothing that was not said, even where the model does", async () => {
    const inventive = (step: string) =>
      step.includes("levels")
        ? {
            executive_summary: "They owe 7777.77 EUR.",
            key_points: ["Paid on 1 January 1999.", "Something was said."],
          }
        : { summary: "Order QQ-99999 of Otto Neumann costs 7777.77 EUR. Something was said. It was 8.5 kg." };
    await fc.assert(
      fc.asyncProperty(
        history,
        strategies,
        tokensMax,
        fc.boolean(),
        async (said, strategy, budget, invents) => {
          const ctx = memoryContext({ history: said }, invents ? inventive : undefined);
          const { packet } = await compress(ctx, { strategy, tokensMax: budget });
          const source = said.map((one) => one.content).join("\n");
          for (const { text } of packet.entities) expect(source).toContain(text);
          for (const invented of ["QQ-99999", "Otto Neumann", "7777.77", "8.5 kg", "1999"])
            expect(foldEntity(packet.summary)).not.toContain(foldEntity(invented));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("keeps the newest turns, in order and in one piece, or the beginning of the newest", async () => {
    const kind = fc.constantFrom<CompressionStrategy>(
      { kind: "truncation" },
      { kind: "recent_window", turns: 4 },
      { kind: "rolling_summary" },
    );
    await fc.assert(
      fc.asyncProperty(history, kind, tokensMax, async (said, strategy, budget) => {
        const { packet } = await compress(memoryContext({ history: said }), { strategy, tokensMax: budget });
        const kept = packet.turns.length;
        const newest = kept === 0 ? [] : said.slice(-kept);
        if (kept === 1 && packet.turns[0]?.content !== newest[0]?.content) {
          expect(newest[0]?.content.startsWith(packet.turns[0]?.content.replace(/ \[…\]$/, "") ?? "?")).toBe(
            true,
          );
        } else expect(packet.turns).toEqual(newest);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps what belongs to calls that are open, or says that it cannot", async () => {
    await fc.assert(
      fc.asyncProperty(history, strategies, tokensMax, fc.nat(24), async (said, strategy, budget, at) => {
        const call: HistoryMessage = { role: "assistant", content: "", tool_calls: [{ id: "c1" }] };
        const partial: HistoryMessage = { role: "tool", content: "half of it", tool_call_id: "c1" };
        const place = Math.min(at, said.length);
        const mixed = [...said.slice(0, place), call, partial, ...said.slice(place)];
        const tool_state = { active_calls: [{ call_id: "c1", tool: "query" }] };
        const made = compress(memoryContext({ history: mixed, tool_state }), { strategy, tokensMax: budget });
        const { packet, conversation } = await made;
        expect(packet.turns).toContainEqual(call);
        expect(packet.turns).toContainEqual(partial);
        expect(conversation.tool_state).toEqual(tool_state);
      }),
      { numRuns: 40 },
    );
    const held: HistoryMessage = { role: "tool", content: "x".repeat(5000), tool_call_id: "c1" };
    const ctx = memoryContext({ history: [held], tool_state: { active_calls: ["c1"] } });
    await expect(compress(ctx, { strategy: { kind: "truncation" }, tokensMax: 100 })).rejects.toThrow(
      ContextTooLargeError,
    );
  });

  it("shows a model no more at once than a portion and the summary so far", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (said) => {
        const ctx = memoryContext({ history: said });
        await compress(ctx, {
          strategy: { kind: "rolling_summary" },
          tokensMax: 400,
          portionTokensMax: 120,
        }).catch((error: unknown) => {
          expect(error).toBeInstanceOf(ContextTooLargeError);
        });
        for (const { input } of ctx.asked)
          expect(countRoughly(JSON.stringify(input))).toBeLessThan(120 + 400 + 60);
      }),
      { numRuns: 60 },
    );
  });
});

import { z } from "zod";
import { contract } from "#shared/contract";
import { mcpTools } from "#shared/mcp";
import { agent, team } from "#shared/runtime";
import { callTools, tool, ToolProblemError } from "#shared/runtime/tools";
import type { StandInTools } from "#shared/runtime/tools";

const Question = contract("shop.question@1", z.object({ text: z.string() }));
const Answer = contract("shop.answer@1", z.object({ answer: z.string() }));

const PRICES: ReadonlyMap<string, number> = new Map([["chair", 19]]);

const price = tool("price", {
  description: "Gives the price of an article in EUR.",
  input: z.strictObject({ article: z.string().max(60) }),
  output: z.number(),
  effect: "none",
  call: ({ article }) => {
    const found = PRICES.get(article);
    if (found === undefined) throw new ToolProblemError("There is no such article.");
    return found;
  },
});

const order = tool("order", {
  description: "Orders an article.",
  input: z.strictObject({ article: z.string(), count: z.int().min(1) }),
  output: z.object({ number: z.string() }),
  effect: "write",
  approval: ({ count }) => count > 10,
  call: async ({ article, count }, { idempotencyKey, signal }) => {
    const headers = { "idempotency-key": idempotencyKey };
    const body = JSON.stringify({ article, count });
    const reply = await fetch("http://127.0.0.1:9/orders", { method: "POST", headers, body, signal });
    return z.object({ number: z.string() }).parse(await reply.json());
  },
});

const files = mcpTools({
  name: "files",
  server: { command: "mcp-server-filesystem", args: ["/srv/price-lists"] },
  tools: {
    read_text_file: {
      hash: "0000000000000000000000000000000000000000000000000000000000000000",
      effect: "none",
    },
  },
});

const clerk = agent("clerk@1", {
  accepts: Question,
  guard: { mayCause: ["order"], refusesTaint: { order: ["mcp.files"] } },
  answers: [Answer],
  standIns: {
    answer: (_question: unknown, _random, _images, tools?: StandInTools) => {
      if (tools?.offered.includes("price") === true && tools.results.length === 0)
        return callTools({ tool: "price", arguments: { article: "chair" } });
      return { answer: JSON.stringify(tools?.results) };
    },
  },
  handle: async (question, ctx) => {
    const tools = [price, order, ...(await files.open(ctx.signal))];
    const asked = { instructions: "Answer the customer.", input: question, answers: Answer, tools };
    return ctx.complete(await ctx.model("answer", asked));
  },
});

export default team("shop", [clerk]);

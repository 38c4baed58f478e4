import type { JsonValue } from "#shared/schema";
import type { Draw } from "../../seeded.ts";
import type { CorpusContract } from "../contract.ts";
import { plain, pretty } from "../damage.ts";
import type { StyleDamage } from "../damage.ts";
import { isObject } from "#shared/schema";
import { bareLine, flatMembers, all } from "./flat.ts";

interface Call {
  readonly value: JsonValue;
  /** The tool's name, after the contract. */
  readonly tool: string;
  /** An identifier as providers give them. */
  readonly id: string;
}

/** A shell that a provider's API puts around the arguments of a tool call. Arguments are objects. */
const shell = (name: string, how: (call: Call, draw: Draw) => string | undefined): StyleDamage => ({
  name,
  why: "the shell is the provider's documented one, with one call whose arguments are the answer",
  write: ({ value, contract }, draw) =>
    isObject(value)
      ? how({ value, tool: toolOf(contract), id: `call_${draw.below(1e9).toString(36)}` }, draw)
      : undefined,
});

const toolOf = ({ name }: CorpusContract): string => name.replaceAll("-", "_");

/** Text in pieces, as a stream brings it. */
export function pieces(text: string, draw: Draw): string[] {
  const parts: string[] = [];
  const characters = Array.from(text);
  while (characters.length > 0) parts.push(characters.splice(0, 3 + draw.below(20)).join(""));
  return parts;
}

const events = (datas: readonly JsonValue[]): string =>
  [...datas.map(plain), "[DONE]"].map((data) => `data: ${data}`).join("\n\n");

export const SHELLS: readonly StyleDamage[] = [
  shell("OpenAI tool call", ({ value, tool, id }, draw) =>
    draw.pick([plain, pretty])({ id, type: "function", function: { name: tool, arguments: plain(value) } }),
  ),
  shell("OpenAI tool_calls message", ({ value, tool, id }) =>
    pretty({
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name: tool, arguments: plain(value) } }],
    }),
  ),
  shell("OpenAI chat completion", ({ value, tool, id }) =>
    plain({
      id: "chatcmpl-9xYz",
      object: "chat.completion",
      created: 1_712_000_000,
      model: "gpt-4o",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: null,
            tool_calls: [{ id, type: "function", function: { name: tool, arguments: plain(value) } }],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 120, completion_tokens: 48, total_tokens: 168 },
    }),
  ),
  shell("legacy function_call", ({ value, tool }) =>
    pretty({ function_call: { name: tool, arguments: pretty(value) } }),
  ),
  shell("arguments escaped twice", ({ value, tool }) =>
    plain({ name: tool, arguments: plain(plain(value)) }),
  ),
  shell("OpenAI Responses message", ({ value }) =>
    pretty({
      output: [
        {
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: plain(value), annotations: [] }],
        },
      ],
    }),
  ),
  shell("OpenAI Responses function_call", ({ value, tool, id }) =>
    plain({ type: "function_call", id: "fc_1", call_id: id, name: tool, arguments: plain(value) }),
  ),
  shell("Anthropic tool_use", ({ value, tool }) =>
    pretty({ type: "tool_use", id: "toolu_01A09q90qw90lq917835lq9", name: tool, input: value }),
  ),
  shell("Anthropic content blocks", ({ value, tool }) =>
    pretty([
      { type: "text", text: "I will record this." },
      { type: "tool_use", id: "toolu_01D7FLrfh4GYq7yT1ULFeyMV", name: tool, input: value },
    ]),
  ),
  shell("Gemini functionCall", ({ value, tool }) => pretty({ functionCall: { name: tool, args: value } })),
  shell("Gemini candidates", ({ value, tool }) =>
    plain({
      candidates: [
        {
          content: { role: "model", parts: [{ functionCall: { name: tool, args: value } }] },
          finishReason: "STOP",
        },
      ],
    }),
  ),
  shell("Bedrock toolUse", ({ value, tool }) =>
    pretty({ toolUse: { toolUseId: "tooluse_hbTgdi0C", name: tool, input: value } }),
  ),
  shell("Cohere tool call", ({ value, tool }) => pretty({ tool_name: tool, parameters: value })),
  shell("name and arguments", ({ value, tool }, draw) =>
    draw.pick([plain, pretty])({
      name: tool,
      [draw.pick(["arguments", "parameters", "args", "input"])]: value,
    }),
  ),
  shell(
    "Hermes tool_call element",
    ({ value, tool }) => `<tool_call>\n${plain({ name: tool, arguments: value })}\n</tool_call>`,
  ),
  shell(
    "Mistral TOOL_CALLS",
    ({ value, tool }) => `[TOOL_CALLS] ${plain([{ name: tool, arguments: value }])}`,
  ),
  shell("Llama function element", ({ value, tool }) => `<function=${tool}>${plain(value)}</function>`),
  shell(
    "Llama python tag",
    ({ value, tool }) =>
      `<|python_tag|>${plain({ type: "function", name: tool, parameters: value })}<|eom_id|>`,
  ),
  shell(
    "ReAct action",
    ({ value, tool }) => `Thought: I have everything I need.\nAction: ${tool}\nAction Input: ${plain(value)}`,
  ),
  shell("call with JSON", ({ value, tool }) => `${tool}(${plain(value)})`),
  shell("MCP tool result", ({ value }) =>
    plain({
      jsonrpc: "2.0",
      id: 3,
      result: { content: [{ type: "text", text: plain(value) }], isError: false },
    }),
  ),
  shell("Ollama message", ({ value }) =>
    plain({
      model: "llama3",
      created_at: "2024-05-01T10:00:00Z",
      message: { role: "assistant", content: plain(value) },
      done: true,
    }),
  ),
  shell("invoke element", ({ value, tool }) => {
    const parameters = all(
      (flatMembers(value) ?? [undefined]).map((member) => {
        const line = member === undefined ? undefined : bareLine(member[1]);
        return member === undefined || line === undefined || /[<>&]/.test(line)
          ? undefined
          : `<parameter name="${member[0]}">${line}</parameter>`;
      }),
    );
    return (
      parameters &&
      [`<function_calls>\n<invoke name="${tool}">`, ...parameters, "</invoke>\n</function_calls>"].join("\n")
    );
  }),
  shell("Qwen parameter elements", ({ value, tool }) => {
    const parameters = all(
      (flatMembers(value) ?? [undefined]).map((member) => {
        const line = member === undefined ? undefined : bareLine(member[1]);
        return member === undefined || line === undefined || /[<>&]/.test(line)
          ? undefined
          : `<parameter=${member[0]}>\n${line}\n</parameter>`;
      }),
    );
    return (
      parameters && [`<tool_call>\n<function=${tool}>`, ...parameters, "</function>\n</tool_call>"].join("\n")
    );
  }),
  shell("streamed content deltas", ({ value }, draw) =>
    events(
      pieces(plain(value), draw).map((content) => ({
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta: { content }, finish_reason: null }],
      })),
    ),
  ),
  shell("streamed argument deltas", ({ value }, draw) =>
    pieces(plain(value), draw)
      .map(
        (partial_json) =>
          `event: content_block_delta\ndata: ${plain({ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json } })}`,
      )
      .join("\n\n"),
  ),
];

import type { TextDamage } from "../damage.ts";
import { rewritten } from "./json-tokens.ts";

/** What providers and chat templates leave in or around a text. */
export const PROVIDER_MARKS: readonly TextDamage[] = [
  {
    name: "stop token",
    why: "the token belongs to the chat template",
    takes: "any",
    apply: (text, draw) =>
      `${text}${draw.pick(["<|im_end|>", "<|eot_id|>", "</s>", "<|endoftext|>", "<|end|>", "<end_of_turn>", "[/INST]"])}`,
  },
  {
    name: "role before the answer",
    why: "the role belongs to the chat template",
    takes: "brackets",
    apply: (text, draw) =>
      `${draw.pick(["assistant: ", "Assistant:\n", "<|assistant|>\n", "<|im_start|>assistant\n", "<start_of_turn>model\n", "AI: "])}${text}`,
  },
  {
    name: "final channel",
    why: "the final channel holds the answer",
    takes: "any",
    apply: (text, draw) =>
      draw.pick([
        `<|channel|>final<|message|>${text}<|end|>`,
        `<|start|>assistant<|channel|>final <|constrain|>json<|message|>${text}<|return|>`,
      ]),
  },
  {
    name: "analysis and final channel",
    why: "what stands in the analysis channel is no answer",
    takes: "any",
    apply: (text) =>
      `<|channel|>analysis<|message|>The user wants JSON such as {"x": 0}. Produce it.<|end|><|start|>assistant<|channel|>final<|message|>${text}<|return|>`,
  },
  {
    name: "citation marks after values",
    why: "the marks stand outside of every string",
    takes: "json",
    apply: (json, draw) => {
      const mark = draw.pick(["【4†source】", "【7:2†report.pdf】", "[^1^]"]);
      return rewritten(json, ({ kind, text, depth }) =>
        kind === "string" && depth === 1 ? `${text}${mark}` : text,
      );
    },
  },
  {
    name: "message representation",
    why: "the content is quoted, and what follows describes the message",
    takes: "json",
    apply: (json) =>
      /['\n\\]/.test(json)
        ? undefined
        : `content='${json}' additional_kwargs={} response_metadata={'finish_reason': 'stop'}`,
  },
  {
    name: "tool result header",
    why: "the header names the tool and holds no data",
    takes: "brackets",
    apply: (text) => `[tool: extract_fields]\n${text}`,
  },
];

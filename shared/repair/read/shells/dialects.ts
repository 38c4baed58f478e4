import { folded } from "../../align/match-words.ts";

/**
 * What model APIs, chat templates and models put around an answer, as data. Names of members count in any spelling:
 * `finish_reason` stands for `finishReason` too. Each row has an example in `tests/repairs/`.
 */

/** The members of one API's answer. */
interface Dialect {
  /** Members that lead to a message, its parts or a call. */
  readonly leads?: string;
  /** Members that hold the arguments of a call. */
  readonly arguments?: string;
  /** Members that hold a text. */
  readonly texts?: string;
  /** Members that carry no answer: ids, counts, reasons, models. */
  readonly labels?: string;
}

/** Answers as they come in one piece. Each dialect adds what those above it lack. */
export const ANSWERS = namesOf([
  // OpenAI chat completions, and the many APIs that follow it.
  {
    leads: "choices message messages tool_calls function function_call",
    arguments: "arguments",
    texts: "content",
    labels: `id object created model index finish_reason logprobs annotations role type name usage
      system_fingerprint service_tier reasoning reasoning_content tool_call_id`,
  },
  // OpenAI responses.
  {
    leads: "output content",
    texts: "text",
    labels: "call_id status created_at incomplete_details metadata phase",
  },
  // Anthropic messages.
  {
    leads: "tool_use",
    arguments: "input",
    labels: "stop_reason stop_sequence citations cache_control thinking",
  },
  // Google Gemini.
  {
    leads: "candidates parts",
    arguments: "args",
    labels: `safety_ratings avg_logprobs usage_metadata model_version response_id prompt_feedback thought_signature`,
  },
  // Amazon Bedrock converse.
  { labels: "tool_use_id metrics request_id" },
  // Cohere chat.
  { arguments: "parameters", labels: "tool_name" },
  // Ollama.
  {
    texts: "response",
    labels: `done done_reason total_duration load_duration prompt_eval_count prompt_eval_duration eval_count
      eval_duration`,
  },
  // LangChain messages.
  {
    leads: "kwargs tool_call",
    arguments: "tool_input",
    texts: "generated_text",
    labels: "lc response_metadata event timestamp version",
  },
  // Model Context Protocol.
  {
    leads: "result",
    arguments: "structured_content",
    labels: "jsonrpc content_type",
  },
  // Agent frameworks' events.
  {
    leads: "delta",
    labels: "is_final output_index parallel_workers",
    texts: "output_text",
  },
]);

/** Chunks of streams. */
export const CHUNKS = namesOf([
  // OpenAI chat completions, and the many APIs that follow it.
  {
    leads: "choices delta message tool_calls function function_call",
    arguments: "arguments",
    texts: "content",
  },
  // OpenAI responses.
  { leads: "response", texts: "delta output_text" },
  // Anthropic messages.
  { leads: "content", arguments: "partial_json", texts: "text" },
  // Google Gemini.
  { leads: "candidates parts", arguments: "args" },
  // Ollama.
  { texts: "response" },
]);

/** Types of parts that are not the answer. */
export const ASIDES = /^(?:reasoning|(?:redacted)?thinking|thought|toolresult)$/;

/** Marks around reasoning: `<think>`, `</think>`, `[THINK]`, `<|begin_of_thought|>`. */
export const REASONING_MARK =
  /<\/?(?:(?:seed:)?think(?:ing)?|(?:inner_)?thoughts?|reasoning|scratchpad|reflection|analysis)>|\[\/?think\]|◁\/?think▷|<\|(?:begin_of_thought|start_thinking|end_of_thought|end_thinking)\|>/gi;

/** Marks of chat templates, as patterns. */
export const TEMPLATE_TOKENS: readonly string[] = [
  // <|im_end|>, <|eot_id|>, <|END_OF_TURN_TOKEN|>, and DeepSeek's with wide bars.
  String.raw`<\|[A-Za-z_0-9]{1,30}\|>`,
  String.raw`<｜[^｜\n]{1,40}｜>`,
  String.raw`</?s>`,
  String.raw`<(?:start|end)_of_turn>`,
  String.raw`\[/?INST\]`,
  String.raw`<(?:eos|bos|end_of_utterance)>`,
];

/** An element that holds an answer, as the whole text. */
export const ANSWER_ELEMENT =
  /^\s*<((?:final_)?answer|output|result|response|json|(?:tool|function)_call)>((?!\s*<)[^]*?)<\/\1>\s*$/i;

const NAME = String.raw`([A-Za-z_][\w.-]{0,80})`;

/** What stands before the arguments of a call, with the function's name. */
export const CALL_HEADS = new RegExp(
  [
    // Mistral: weather[ARGS], weather[CALL_ID]a1[ARGS].
    String.raw`${NAME}(?:\[CALL_ID\]\w{1,40})?\[ARGS\]`,
    // Llama and Qwen.
    `<function=${NAME}>`,
    // Anthropic and MiniMax.
    `<invoke name="${NAME}">`,
    // GLM.
    String.raw`<tool_call>\s*${NAME}\s*(?=<arg_key>)`,
    // Kimi.
    String.raw`functions\.${NAME}:\d+(?:\s*<\|tool_call_argument_begin\|>)?`,
    // DeepSeek.
    `<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?${NAME}(?:<｜tool▁sep｜>)?`,
    // ReAct and Qwen's older form.
    String.raw`(?:Action|✿FUNCTION✿): *${NAME}\s*\n(?:Action Input|✿ARGS✿):`,
  ].join("|"),
  "g",
);

/** Parameters of a call as elements: the name, then the value. */
export const PARAMETER_ELEMENTS: readonly RegExp[] = [
  // Anthropic.
  /<parameter name="([^"<>\n]{1,100})"[^<>\n]{0,100}>((?:(?!<parameter)[^])*?)<\/parameter>/g,
  // Qwen.
  /<parameter=([^<>\n]{1,100})>((?:(?!<parameter)[^])*?)<\/parameter>/g,
  // GLM.
  /<arg_key>([^<>\n]{1,100})<\/arg_key>\s{0,20}<arg_value>((?:(?!<arg_)[^])*?)<\/arg_value>/g,
];

interface Names {
  readonly leads: ReadonlySet<string>;
  readonly arguments: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
}

/** The names of all dialects together, because answers pass through several programs. */
function namesOf(dialects: readonly Dialect[]): Names {
  const all = (field: keyof Dialect): ReadonlySet<string> =>
    new Set(dialects.flatMap((one) => (one[field] ?? "").split(/\s+/).filter(Boolean).map(folded)));
  return {
    leads: all("leads"),
    arguments: all("arguments"),
    texts: all("texts"),
    labels: all("labels"),
  };
}

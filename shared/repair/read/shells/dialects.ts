import { folded } from "../../align/match-words.ts";

/**
 * Shells that model APIs, templates and models put around an answer, as data. Names of members count in any spelling:
 * `finish_reason` stands for `finishReason` too. Each row has an example in `tests/repairs/`.
 */

/** Names of members in any spelling, those of all APIs together, because answers pass through several programs. */
function names(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map(folded));
}

/** Members of answers as they come in one piece. */
export const ANSWERS = {
  /** Lead to a message, its parts or a call. */
  leads: names(
    `choices message messages tool_calls function function_call output content tool_use candidates parts kwargs
    tool_call result delta`,
  ),
  /** Hold the arguments of a call. */
  arguments: names("arguments input args parameters tool_input structured_content"),
  /** Hold a text. */
  texts: names("content text response generated_text output_text"),
  /** Members without an answer: ids, counts, reasons, models, of OpenAI's and the other APIs. */
  labels: names(
    `id object created model index finish_reason logprobs annotations role type name usage system_fingerprint
    service_tier reasoning reasoning_content tool_call_id call_id status created_at incomplete_details metadata phase
    stop_reason stop_sequence citations cache_control thinking
    safety_ratings avg_logprobs usage_metadata model_version response_id prompt_feedback thought_signature
    tool_use_id metrics request_id tool_name
    done done_reason total_duration load_duration prompt_eval_count prompt_eval_duration eval_count eval_duration
    lc response_metadata event timestamp version
    jsonrpc content_type is_final output_index parallel_workers`,
  ),
};

/** Members of the chunks of streams. */
export const CHUNKS = {
  leads: names("choices delta message tool_calls function function_call response content candidates parts"),
  arguments: names("arguments partial_json args"),
  texts: names("content delta output_text text response"),
};

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

/** Text before the arguments of a call, with the function's name. */
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

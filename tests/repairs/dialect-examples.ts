/** One way in which an answer comes, with an example. Every example holds the same value. */
export interface DialectExample {
  readonly dialect: string;
  readonly text: string;
}

const CALL = { name: "save", arguments: { city: "Oslo", zip: 179 } };
const VALUE = CALL.arguments;
const JSON_TEXT = JSON.stringify(VALUE);
const HALVES = [JSON_TEXT.slice(0, 9), JSON_TEXT.slice(9)];

const json = (dialect: string, value: object): DialectExample => ({ dialect, text: JSON.stringify(value) });
const plain = (dialect: string, text: string): DialectExample => ({ dialect, text });
const events = (dialect: string, chunks: readonly object[]): DialectExample => ({
  dialect,
  text: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}`).join("\n\n"),
});

const TOOL_CALL = { id: "c1", type: "function", function: { name: "save", arguments: JSON_TEXT } };

/** An answer of OpenAI's chat completions, and of the many APIs that follow it. */
const chat = (message: object, finish_reason: string, more: object = {}): object => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason, logprobs: null }],
  ...more,
});

/** Calls of tools and functions, as APIs give them. */
const CALLS: readonly DialectExample[] = [
  json(
    "OpenAI chat completion, tool call",
    chat({ content: null, tool_calls: [TOOL_CALL], refusal: null, annotations: [] }, "tool_calls", {
      created: 1_750_000_000,
      usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
      service_tier: "default",
      system_fingerprint: null,
    }),
  ),
  json("OpenAI chat completion, text", chat({ content: JSON_TEXT }, "stop")),
  json("OpenAI tool call", TOOL_CALL),
  json("OpenAI function_call, the older form", { function_call: { name: "save", arguments: JSON_TEXT } }),
  json("OpenAI response, function call", {
    id: "resp_1",
    object: "response",
    created_at: 1_750_000_000,
    status: "completed",
    error: null,
    incomplete_details: null,
    instructions: "Save the address.",
    max_output_tokens: null,
    model: "m",
    output: [
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "function_call", id: "fc_1", call_id: "c1", name: "save", arguments: JSON_TEXT },
    ],
    parallel_tool_calls: true,
    store: true,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [{ type: "function", name: "save" }],
    top_p: 1,
    truncation: "disabled",
    usage: { input_tokens: 9, output_tokens: 9 },
    user: null,
    metadata: {},
  }),
  json("OpenAI response, text", {
    object: "response",
    output: [
      {
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: JSON_TEXT, annotations: [] }],
      },
    ],
  }),
  json("Anthropic message, tool use", {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "text", text: "I save the address." },
      { type: "tool_use", id: "toolu_1", name: "save", input: VALUE },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 9 },
  }),
  json("Anthropic message, thinking and text", {
    type: "message",
    role: "assistant",
    content: [
      { type: "thinking", thinking: "City?", signature: "Eq" },
      { type: "text", text: JSON_TEXT },
    ],
  }),
  json("Google Gemini, function call", {
    candidates: [
      {
        content: { role: "model", parts: [{ functionCall: { name: "save", args: VALUE } }] },
        finishReason: "STOP",
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 9 },
    modelVersion: "m",
    responseId: "r1",
  }),
  json("Google Gemini, thoughts and text", {
    candidates: [
      { content: { role: "model", parts: [{ text: "Which city?", thought: true }, { text: JSON_TEXT }] } },
    ],
  }),
  json("Mistral, tool call", chat({ content: "", tool_calls: [{ ...TOOL_CALL, index: 0 }] }, "tool_calls")),
  json("Cohere, tool call of version 1", {
    tool_calls: [{ name: "save", parameters: VALUE }],
    finish_reason: "COMPLETE",
  }),
  json("Cohere, tool call of version 2", {
    id: "1",
    finish_reason: "TOOL_CALL",
    message: { role: "assistant", tool_calls: [TOOL_CALL] },
  }),
  json("Cohere, action list", { tool_name: "save", parameters: VALUE }),
  json("Amazon Bedrock, converse", {
    output: {
      message: {
        role: "assistant",
        content: [{ toolUse: { toolUseId: "t1", name: "save", input: VALUE } }],
      },
    },
    stopReason: "tool_use",
    usage: { inputTokens: 9 },
    metrics: { latencyMs: 9 },
  }),
  json("Ollama, tool call", {
    model: "m",
    created_at: "2025-06-15T10:00:00Z",
    message: {
      role: "assistant",
      content: "",
      tool_calls: [{ function: { name: "save", arguments: VALUE } }],
    },
    done: true,
    done_reason: "stop",
    total_duration: 9,
  }),
  json("Ollama, generate", { model: "m", response: JSON_TEXT, done: true }),
  json("LangChain, message", {
    content: "",
    type: "ai",
    id: "1",
    tool_calls: [{ name: "save", args: VALUE, id: "c1", type: "tool_call" }],
    response_metadata: {},
  }),
  json("LangChain, agent action", { tool: null, tool_name: "save", tool_input: VALUE }),
  json("Model Context Protocol, tool result", {
    jsonrpc: "2.0",
    id: 3,
    result: {
      content: [{ type: "text", text: JSON_TEXT }],
      structuredContent: VALUE,
      isError: false,
    },
  }),
  json("name and arguments", CALL),
  json("name and parameters", { name: "save", parameters: VALUE }),
  json("arguments escaped twice", { name: "save", arguments: JSON.stringify(JSON_TEXT) }),
];

/** Calls of tools as text, from models without an API for them. */
const TEXT_CALLS: readonly DialectExample[] = [
  plain("Hermes and Qwen, element", `<tool_call>\n${JSON.stringify(CALL)}\n</tool_call>`),
  plain(
    "Qwen, elements for parameters",
    "<tool_call>\n<function=save>\n<parameter=city>\nOslo\n</parameter>\n<parameter=zip>\n179\n</parameter>\n</function>\n</tool_call>",
  ),
  plain("Llama, function element", `<function=save>${JSON_TEXT}</function>`),
  plain(
    "Llama, python tag",
    `<|python_tag|>${JSON.stringify({ type: "function", name: "save", parameters: VALUE })}<|eom_id|>`,
  ),
  plain("Mistral, tool calls", `[TOOL_CALLS][${JSON.stringify(CALL)}]`),
  plain("Mistral, name and arguments apart", `[TOOL_CALLS]save[ARGS]${JSON_TEXT}`),
  plain(
    "DeepSeek, with a fence",
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>save\n\`\`\`json\n${JSON_TEXT}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ),
  plain(
    "DeepSeek, without a fence",
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>save<｜tool▁sep｜>${JSON_TEXT}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ),
  plain(
    "Kimi",
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.save:0<|tool_call_argument_begin|>${JSON_TEXT}<|tool_call_end|><|tool_calls_section_end|>`,
  ),
  plain(
    "Anthropic, elements",
    '<function_calls>\n<invoke name="save">\n<parameter name="city">Oslo</parameter>\n<parameter name="zip">179</parameter>\n</invoke>\n</function_calls>',
  ),
  plain(
    "GLM, elements for keys and values",
    "<tool_call>save\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>zip</arg_key>\n<arg_value>179</arg_value>\n</tool_call>",
  ),
  plain("ReAct", `Thought: I have all of it.\nAction: save\nAction Input: ${JSON_TEXT}`),
  plain("call with JSON", `save(${JSON_TEXT})`),
  plain("call with named arguments", 'save(city="Oslo", zip=179)'),
  plain("calls in brackets", '[save(city="Oslo", zip=179)]'),
];

const STREAMS: readonly DialectExample[] = [
  events(
    "OpenAI chat completion, text",
    HALVES.map((content) => ({
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    })),
  ),
  events(
    "OpenAI chat completion, tool call",
    HALVES.map((part) => ({
      choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: part } }] } }],
    })),
  ),
  events(
    "OpenAI response, text",
    HALVES.map((delta) => ({ type: "response.output_text.delta", delta })),
  ),
  events(
    "Anthropic, tool use",
    HALVES.map((partial_json) => ({
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json },
    })),
  ),
  events(
    "Anthropic, text",
    HALVES.map((part) => ({ type: "content_block_delta", delta: { type: "text_delta", text: part } })),
  ),
  events(
    "Google Gemini",
    HALVES.map((part) => ({ candidates: [{ content: { role: "model", parts: [{ text: part }] } }] })),
  ),
  {
    dialect: "Ollama, a chunk a line",
    text: HALVES.map((response, at) => JSON.stringify({ model: "m", response, done: at === 1 })).join("\n"),
  },
];

const TEMPLATES: readonly DialectExample[] = [
  plain("ChatML", `<|im_start|>assistant\n${JSON_TEXT}<|im_end|>`),
  plain("Llama 3", `<|start_header_id|>assistant<|end_header_id|>\n\n${JSON_TEXT}<|eot_id|>`),
  plain("Llama 2 and Mistral", `[/INST] ${JSON_TEXT}</s>`),
  plain("Gemma", `<start_of_turn>model\n${JSON_TEXT}<end_of_turn>`),
  plain("Phi", `<|assistant|>\n${JSON_TEXT}<|end|>`),
  plain("DeepSeek", `${JSON_TEXT}<｜end▁of▁sentence｜>`),
  plain("Cohere", `<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>${JSON_TEXT}<|END_OF_TURN_TOKEN|>`),
  plain("GPT-2 and its heirs", `${JSON_TEXT}<|endoftext|>`),
  plain("final channel", `<|channel|>final<|message|>${JSON_TEXT}<|return|>`),
  plain(
    "analysis and final channel",
    `<|channel|>analysis<|message|>Perhaps {"city": "Rome"}?<|end|><|start|>assistant<|channel|>final<|message|>${JSON_TEXT}<|return|>`,
  ),
];

/** Reasoning with a draft that is not the answer. */
const DRAFT = 'Perhaps {"city": "Rome", "zip": 100}? No.';
const REASONING: readonly DialectExample[] = [
  plain("element", `<think>${DRAFT}</think>\n${JSON_TEXT}`),
  plain("element, other names", `<reasoning>\n${DRAFT}\n</reasoning>\n\n${JSON_TEXT}`),
  plain("closing mark alone", `${DRAFT}\n</think>\n\n${JSON_TEXT}`),
  plain("Magistral", `[THINK]${DRAFT}[/THINK]\n${JSON_TEXT}`),
  plain("Kimi", `◁think▷${DRAFT}◁/think▷\n${JSON_TEXT}`),
  plain("Seed", `<seed:think>${DRAFT}</seed:think>\n${JSON_TEXT}`),
  plain("Sky", `<|begin_of_thought|>${DRAFT}<|end_of_thought|>\n${JSON_TEXT}`),
  plain("Cohere", `<|START_THINKING|>${DRAFT}<|END_THINKING|>\n${JSON_TEXT}`),
];

const FENCES: readonly DialectExample[] = [
  plain("fence", `\`\`\`json\n${JSON_TEXT}\n\`\`\``),
  plain("fence without a language", `\`\`\`\n${JSON_TEXT}\n\`\`\``),
  plain("fence of another language", `\`\`\`javascript\n${JSON_TEXT}\n\`\`\``),
  plain("fence in one line", `\`\`\`json ${JSON_TEXT} \`\`\``),
  plain("fence never closed", `\`\`\`json\n${JSON_TEXT}`),
  plain("fence of tildes", `~~~json\n${JSON_TEXT}\n~~~`),
  plain("code in a line", `The answer is \`${JSON_TEXT}\`.`),
  plain("element", `<answer>${JSON_TEXT}</answer>`),
];

const CITATIONS: readonly DialectExample[] = [
  plain("OpenAI", '{"city":"Oslo"【4:0†source】,"zip":179}'),
  plain("Bing", '{"city":"Oslo"[^1^],"zip":179}'),
  plain("footnote behind", `${JSON_TEXT} [1]`),
];

/** Sentences around an answer. */
const SENTENCES: readonly (readonly [language: string, before: string, after: string])[] = [
  ["English", "Here is the address you asked for:", "Let me know if you need anything else!"],
  ["Chinese", "以下是您要的结果：", "如需其他帮助，请告诉我。"],
  ["Spanish", "Aquí tienes la dirección:", "¿Necesitas algo más?"],
  ["Hindi", "यह रहा आपका उत्तर:", "और कुछ चाहिए तो बताइए।"],
  ["Arabic", "إليك العنوان المطلوب:", "هل تحتاج إلى شيء آخر؟"],
  ["Portuguese", "Aqui está o endereço pedido:", "Se precisar de algo mais, é só avisar."],
  ["Russian", "Вот запрошенный адрес:", "Если нужно что-то ещё, дайте знать."],
  ["Japanese", "ご依頼の住所は以下のとおりです。", "ほかにご不明な点があればお知らせください。"],
  ["German", "Hier ist die gewünschte Adresse:", "Gib Bescheid, wenn du noch etwas brauchst."],
  ["French", "Voici l'adresse demandée :", "N'hésitez pas si vous avez d'autres questions."],
  ["Korean", "요청하신 주소입니다:", "더 필요하신 것이 있으면 말씀해 주세요."],
  ["Italian", "Ecco l'indirizzo richiesto:", "Fammi sapere se ti serve altro."],
  ["Turkish", "İstediğiniz adres şöyle:", "Başka bir isteğiniz olursa söyleyin."],
];

/** All examples by what they are about, in the order of the page. */
export const DIALECT_EXAMPLES: Readonly<Record<string, readonly DialectExample[]>> = {
  "Calls and answers of APIs": CALLS,
  "Calls as text": TEXT_CALLS,
  Streams: STREAMS,
  "Marks of chat templates": TEMPLATES,
  Reasoning: REASONING,
  "Fences and elements": FENCES,
  "Marks of citations": CITATIONS,
  "Sentences around the answer": SENTENCES.map(([language, before, after]) =>
    plain(language, `${before}\n\n${JSON_TEXT}\n\n${after}`),
  ),
};

export const DIALECT_VALUE = VALUE;

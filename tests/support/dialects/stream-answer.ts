import type { ChatRequest } from "./dialect.ts";

interface Message {
  readonly content?: string | null | readonly object[];
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** A body as every dialect writes it. */
export interface WrappedBody {
  readonly choices: readonly { readonly finish_reason: string; readonly message: Message }[];
  readonly usage?: object;
}

/**
 * Writes an unstreamed body as server-sent events: https://platform.openai.com/docs/api-reference/chat-streaming
 *
 * @param reportsUsage - The endpoint reports tokens unasked.
 */
export function streamAnswer(wrapped: WrappedBody, request: ChatRequest, reportsUsage: boolean): string {
  const { choices, usage, ...about } = wrapped;
  const [choice] = choices;
  const { content, tool_calls: calls = [], ...fields } = choice?.message ?? {};
  const texts = Object.entries(fields).filter(([name, text]) => name !== "role" && typeof text === "string");
  const deltas: object[] = [
    { role: "assistant", content: "" },
    ...texts.flatMap(([name, text]) => piecesOf(text).map((piece) => ({ [name]: piece }))),
    ...(typeof content === "string" ? piecesOf(content) : (content ?? []).map((part) => [part])).map(
      (piece) => ({
        content: piece,
      }),
    ),
    ...calls.flatMap(({ function: { name, arguments: text }, ...call }, index) => [
      { tool_calls: [{ index, ...call, function: { name, arguments: "" } }] },
      ...piecesOf(text).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
  const isAsked = reportsUsage || request.stream_options?.include_usage === true;
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: choice?.finish_reason }] },
    ...(isAsked ? [{ choices: [], usage }] : []),
  ].map((chunk) => ({ ...about, object: "chat.completion.chunk", ...chunk }));
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}

function piecesOf(text: unknown): readonly string[] {
  return typeof text === "string" ? (text.match(/[^]{1,12}/g) ?? []) : [];
}

import { isRecord } from "#shared/json";

type Fields = Record<string, unknown>;

/** Fields of a delta whose pieces make one text. */
const TEXTS = ["refusal", "reasoning_content", "reasoning"] as const;

/** Puts the chunks of a streamed completion together, into the body that the same answer has unstreamed. */
export class ChunkAssembly {
  private readonly texts: Record<string, string> = {};
  private readonly parts: { readonly type: unknown; readonly isThought: boolean; text: string }[] = [];
  private readonly calls: { readonly index: unknown; readonly id: string; readonly call: Fields }[] = [];
  private content: string | null = null;
  private finish: string | null = null;
  private model: unknown;
  private usage: unknown;
  /** Characters that the model said, thoughts and arguments of tools included. */
  characters = 0;

  /** The endpoint said why the answer ended. */
  get isFinished(): boolean {
    return this.finish !== null;
  }

  /** Adds one chunk. Returns true when the model said something in it. */
  add(chunk: unknown): boolean {
    if (!isRecord(chunk)) return false;
    const { model, usage, choices } = chunk;
    if (typeof model === "string" && model !== "") this.model = model;
    if (isRecord(usage)) this.usage = usage;
    const choice: unknown = Array.isArray(choices) ? choices[0] : null;
    if (!isRecord(choice)) return false;
    const { finish_reason: finish, delta } = choice;
    if (typeof finish === "string" && finish !== "") this.finish = finish;
    if (!isRecord(delta)) return false;
    const before = this.characters;
    this.addContent(delta["content"]);
    for (const name of TEXTS) {
      const text = delta[name];
      if (typeof text === "string") this.texts[name] = (this.texts[name] ?? "") + this.counted(text);
    }
    const { tool_calls: calls } = delta;
    for (const one of Array.isArray(calls) ? calls : []) this.addCall(one);
    return this.characters > before;
  }

  private counted(text: string): string {
    this.characters += text.length;
    return text;
  }

  /** Adds text, or a list of parts of which some are thoughts (Mistral). */
  private addContent(content: unknown): void {
    if (Array.isArray(content)) for (const part of content) this.addPart(part);
    else if (typeof content !== "string") return;
    else if (this.parts.length > 0) this.addPart({ type: "text", text: content });
    else this.content = (this.content ?? "") + this.counted(content);
  }

  private addPart(part: unknown): void {
    if (!isRecord(part)) return;
    const { type, thinking } = part;
    const text = Array.isArray(thinking) ? thinking.map(textOfPart).join("") : textOfPart(part);
    const last = this.parts.at(-1);
    if (last !== undefined && last.type === type) last.text += this.counted(text);
    else this.parts.push({ type, isThought: Array.isArray(thinking), text: this.counted(text) });
  }

  /**
   * Adds a fragment of a tool call. Gemini and Ollama number every call 0 and tell them apart by their ids:
   * https://github.com/ollama/ollama/issues/15457
   */
  private addCall(fragment: unknown): void {
    if (!isRecord(fragment)) return;
    const { index, id } = fragment;
    const given = isRecord(fragment["function"]) ? fragment["function"] : {};
    const ownId = typeof id === "string" ? id : "";
    const begun = this.calls.findLast(
      (one) =>
        (index === undefined || one.index === index) && (ownId === "" || one.id === "" || one.id === ownId),
    );
    const call: Fields = begun?.call ?? { type: "function", function: { name: "", arguments: "" } };
    if (begun === undefined) this.calls.push({ index, id: ownId, call });
    // Made above.
    const made = call["function"] as { name: string; arguments: string };
    if (typeof given["name"] === "string" && given["name"] !== "") made.name = this.counted(given["name"]);
    const text = typeof given["arguments"] === "string" ? given["arguments"] : textOf(given["arguments"]);
    made.arguments += this.counted(text);
    if (fragment["extra_content"] !== undefined) call["extra_content"] = fragment["extra_content"];
  }

  /** The completion so far, in the form of an unstreamed body. */
  toBody(): object {
    const message = {
      role: "assistant",
      content: this.parts.length === 0 ? this.content : this.allParts(),
      ...this.texts,
      ...(this.calls.length === 0 ? {} : { tool_calls: this.calls.map(({ call }) => call) }),
    };
    return { model: this.model, choices: [{ finish_reason: this.finish, message }], usage: this.usage };
  }

  private allParts(): object[] {
    const parts = this.parts.map(({ type, isThought, text }) =>
      isThought ? { type, thinking: [{ type: "text", text }] } : { type, text },
    );
    return this.content === null ? parts : [{ type: "text", text: this.content }, ...parts];
  }
}

function textOfPart(part: unknown): string {
  return isRecord(part) && typeof part["text"] === "string" ? part["text"] : "";
}

function textOf(given: unknown): string {
  return isRecord(given) ? JSON.stringify(given) : "";
}

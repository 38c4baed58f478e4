import type { CountTokens } from "#shared/context";

/** Bytes of all calls and results that one step shows its model. */
const EXCHANGE_BYTES_MAX = 256 * 1024;

/** Room in a step's prompt, in tokens, beside what it holds anyway. */
export interface PromptRoom {
  readonly tokens: number;
  readonly count: CountTokens;
}

/** Keeps what tools give within a prompt's bounds. */
export class ToolRoom {
  private readonly room: PromptRoom | undefined;
  private bytesLeft = EXCHANGE_BYTES_MAX;
  private tokensLeft: number;

  constructor(room: PromptRoom | undefined) {
    this.room = room;
    this.tokensLeft = room?.tokens ?? Infinity;
  }

  /** Takes a text in. Returns false, and takes nothing, where there is no room for it. */
  take(text: string): boolean {
    const bytes = Buffer.byteLength(text);
    const tokens = this.room?.count(text) ?? 0;
    if (bytes > this.bytesLeft || tokens > this.tokensLeft) return false;
    this.bytesLeft -= bytes;
    this.tokensLeft -= tokens;
    return true;
  }
}

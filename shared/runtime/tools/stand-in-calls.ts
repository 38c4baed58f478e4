import type { JsonValue } from "#shared/schema";

/** What a stand-in knows of the tools of its step. */
export interface StandInTools {
  /** Names of the tools that it may call now. Empty: it has to answer. */
  readonly offered: readonly string[];
  /** What it called before, oldest first, with what the model would read. */
  readonly results: readonly {
    readonly tool: string;
    readonly arguments: unknown;
    readonly outcome: unknown;
  }[];
}

/** Calls that a stand-in asks for instead of answering. */
export class StandInCalls {
  readonly calls: readonly { readonly tool: string; readonly arguments: JsonValue }[];

  constructor(calls: StandInCalls["calls"]) {
    this.calls = calls;
  }
}

/**
 * Lets a stand-in call tools: return the value instead of an answer. The stand-in is asked again with the results.
 * @example callTools({ tool: "search", arguments: { text: "price" } })
 */
export function callTools(...calls: StandInCalls["calls"]): StandInCalls {
  return new StandInCalls(calls);
}

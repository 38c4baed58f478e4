import type { Library } from "./outside/library.ts";

/** The library and times that the research team works with. */
export interface ResearchSetup {
  readonly library: Library;
  /** How long the next message of a conversation waits for the one before it, in ms. Default 30,000. */
  readonly turnMs?: number;
  /** Timeout of a researcher, in ms. Default 90,000. */
  readonly roundMs?: number;
}

/** A paragraph of a source, or a part of a long one, with where it is from. */
export interface Passage {
  /** `<source_id>#<number>`, from 1. */
  readonly passage_id: string;
  readonly source_id: string;
  readonly title: string;
  readonly publisher: string;
  /** As written in the source, mostly a day. */
  readonly published: string;
  readonly text: string;
}

/** A source that was not read, because it looks as if it gave orders to machines. */
export interface HeldBack {
  readonly source_id: string;
  readonly title: string;
  /** Why, as words of the guard's table. */
  readonly reasons: string[];
}

export interface Search {
  /** Passages that bear on what was asked, the best first. */
  readonly passages: Passage[];
  /** Sources that would have been among them. */
  readonly held_back: HeldBack[];
}

/** Where the team looks things up. What comes from there is text of unknown people. */
export interface Library {
  /**
   * @param wanted.passagesMax - Passages at most.
   * @throws {LibraryUnavailableError} It cannot be searched now.
   */
  search(
    wanted: { readonly text: string; readonly passagesMax: number },
    signal: AbortSignal,
  ): Promise<Search>;
}

/** The library and times that the research team works with. */
export interface ResearchSetup {
  readonly library: Library;
  /** How long the next message of a conversation waits for the one before it, in ms. Default 30,000. */
  readonly turnMs?: number;
  /** Timeout of a researcher, in ms. Default 90,000. */
  readonly roundMs?: number;
}

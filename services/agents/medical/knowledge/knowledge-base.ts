/** A section of a guideline, with where it stands. */
export interface GuidelineSection {
  /** `<document>#<number>`, from 1. */
  readonly section_id: string;
  /** The document's title. */
  readonly title: string;
  /** Publisher, as written in the document. */
  readonly source: string;
  /** When it was published, as written in the document. */
  readonly date: string;
  readonly heading: string;
  readonly text: string;
}

/** Guidelines that specialists look up. */
export interface KnowledgeBase {
  /**
   * Returns the sections that bear on a complaint, the best first; none where no guideline covers it.
   *
   * @throws {GuidelinesUnavailableError} It cannot be searched now.
   */
  search(
    wanted: { readonly text: string; readonly sectionsMax: number },
    signal: AbortSignal,
  ): Promise<readonly GuidelineSection[]>;
}

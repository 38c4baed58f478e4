/**
 * Believes a finding once two different requests show it: one refused request may have had a fault of its own, or a
 * model that wrote nonsense.
 */
export class Confirmations {
  private readonly first = new Map<string, string>();

  /** Returns true for a finding that some request showed. */
  has(finding: string): boolean {
    return this.first.has(finding);
  }

  /** Notes that a request shows a finding. Returns true once another request showed it, too. */
  note(finding: string, request: string): boolean {
    const first = this.first.get(finding);
    if (first === undefined) this.first.set(finding, request);
    return first !== undefined && first !== request;
  }
}

/** Questions in a row, answered without a schema's fields, after which the model is taken not to be shown schemas. */
const UNREAD_MAX = 3;

/**
 * Finds whether an endpoint shows a model the schemas that it takes. One bad answer proves nothing, since models slip:
 * it makes the schema doubted, so that a question that is asked again spells it out. Several in a row prove it, unless
 * an answer once had the schema's fields.
 */
export class ShownSchemas {
  private readonly read = new Set<string>();
  private readonly unread = new Map<string, Set<string>>();

  /** Returns true for a schema without whose fields answers came, and none with them. */
  isDoubted(schema: string): boolean {
    return this.unread.has(schema);
  }

  /**
   * Notes an answer to a question without the schema in words. Returns true once it is proved not to be shown.
   *
   * @param question - Tells it from other questions.
   */
  note(schema: string, question: string, hasFields: boolean): boolean {
    if (hasFields) {
      this.read.add(schema);
      this.unread.delete(schema);
      return false;
    }
    if (this.read.has(schema)) return false;
    const unread = this.unread.get(schema) ?? new Set();
    this.unread.set(schema, unread.add(question));
    return unread.size >= UNREAD_MAX;
  }
}

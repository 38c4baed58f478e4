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

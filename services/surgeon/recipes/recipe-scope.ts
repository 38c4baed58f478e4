/**
 * Stands in a fingerprint's place for a recipe that a team ships before any message has died: its author knows the
 * agent and the contract, and no fingerprint yet. No fingerprint looks like this.
 */
export function recipeScope(bound: { readonly agent: string; readonly contract: string }): string {
  return `${bound.agent}/*/${bound.contract}`;
}

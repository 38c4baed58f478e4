/**
 * Returns the pseudo-fingerprint of a recipe that a team ships for all faults of one agent and contract. Differs from
 * every real fingerprint.
 */
export function recipeScope(bound: { readonly agent: string; readonly contract: string }): string {
  return `${bound.agent}/*/${bound.contract}`;
}

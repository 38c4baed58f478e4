/** Who may send which type of handoff to whom. A message of another type is rejected, whoever signed it. */
export const HANDOFF_MATRIX = [
  { from: "editorial-desk", to: "fiction-editing", type: "task_delegation" },
  { from: "fiction-editing", to: "story-analysis", type: "analysis_request" },
  { from: "story-analysis", to: "fiction-editing", type: "analysis_result" },
  { from: "editorial-desk", to: "general-project", type: "task_delegation" },
  { from: "general-project", to: "electronics", type: "component_design" },
  { from: "electronics", to: "general-project", type: "component_design_result" },
] as const;

/**
 * Why a handoff is not to be taken; null where the matrix has it. Who may write to whom at all is held by the
 * edges' keys, and what a surgeon sends back keeps the type of the letter that died.
 */
export function refuseHandoff(
  to: string,
  { handoff_type: type }: { readonly handoff_type: string },
): string | null {
  const types = HANDOFF_MATRIX.filter((entry) => entry.to === to).map((entry): string => entry.type);
  return types.includes(type) ? null : `${to} takes ${types.join(" and ")}, not ${type}`;
}

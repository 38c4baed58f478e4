/**
 * Who may send which type of handoff to whom, where agents are asked by more than one or for more than one thing. A
 * message of another type is rejected, whoever signed it.
 */
export const HANDOFF_MATRIX = [
  { from: "front-desk", to: "chat", type: "message" },
  { from: "front-desk", to: "reference", type: "document" },
  { from: "front-desk", to: "research", type: "continued_conversation" },
  { from: "chat", to: "research", type: "quick_lookup" },
  { from: "reference", to: "research", type: "research_delegation" },
  { from: "research", to: "investigation", type: "investigation" },
] as const;

/** Why a handoff is not to be taken; null where the matrix has it. */
export function refuseHandoff(
  to: string,
  { handoff_type: type }: { readonly handoff_type: string },
): string | null {
  const types = HANDOFF_MATRIX.filter((entry) => entry.to === to).map((entry): string => entry.type);
  return types.includes(type) ? null : `${to} takes ${types.join(" and ")}, not ${type}`;
}

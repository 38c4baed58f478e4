import type { KeyGenerations } from "#shared/envelope/keys";

/** Says for people which generations sign and verify, and of what kind their keys are. */
export function describeGenerations({ signing, verifying, ed25519 = [] }: KeyGenerations): string {
  const shared = verifying.filter((generation) => !ed25519.includes(generation));
  const kinds =
    shared.length === 0
      ? "All are Ed25519 pairs."
      : shared.length === verifying.length
        ? "All are shared secrets."
        : `Shared secrets: ${shared.join(", ")}; Ed25519 pairs: the others.`;
  return `Generation ${signing} signs; ${verifying.join(", ")} verify. ${kinds}`;
}

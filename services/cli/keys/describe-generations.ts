import type { KeyGenerations } from "#shared/envelope/keys";

/** Says for people which generations sign and verify. */
export function describeGenerations({ signing, verifying }: KeyGenerations): string {
  return `Generation ${signing} signs; ${verifying.join(", ")} verify.`;
}

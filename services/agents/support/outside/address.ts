import type { Secret } from "#shared/config";

/** Where one outside system is, and what it knows us by. */
export interface Address {
  /** Base URL without a slash at its end. */
  readonly url: string;
  /** Sent as a bearer token. Null: none is. */
  readonly token: Secret | null;
}

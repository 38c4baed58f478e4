import type { Secret } from "./secret.ts";

/** How TLS to Redis is spoken. All texts are PEM. */
export interface RedisTls {
  /** Whom to believe. Null: the authorities that Node knows. */
  readonly ca: string | null;
  /** The certificate that this process shows, and its key. Null: none. */
  readonly cert: string | null;
  readonly key: Secret | null;
  /** The name that the server's certificate must bear. Null: the host of the address. */
  readonly servername: string | null;
}

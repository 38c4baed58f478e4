import type { Secret } from "./secret.ts";

/** TLS to Redis. All texts are PEM. */
export interface RedisTls {
  /** Certificate authority of Redis. Unset: the authorities that Node knows. */
  readonly ca: string | null;
  /** Client certificate. Unset: none. Needs its key. */
  readonly cert: string | null;
  /** Key of the client certificate. */
  readonly key: Secret | null;
  /** Name that the server's certificate must have. Unset: the host of the address. */
  readonly servername: string | null;
}

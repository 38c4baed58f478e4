/** A server that a peer uses, as long as it is lent. */
export interface Server {
  readonly url: string;
  /** Where it is administered; the same as `url` where there is but one address. */
  readonly adminUrl: string;
  /** CPU time that it has used since it began, in ms; NaN where that cannot be told. */
  cpuMs(): Promise<number>;
}

/** What a message truly says, and what has to come out of any repair of it. */
export interface Sound {
  readonly account: string;
  readonly amount: number;
  readonly payee: string;
  readonly from: string;
  readonly to: string;
  readonly reference: string;
}

import { TooManyWaitersError } from "../errors.ts";

/** Counts requests that stay open, so that waiting clients cannot use up the process. */
export class Waiters {
  private readonly max: number;
  private readonly ofKeyMax: number;
  private readonly byKey = new Map<string, number>();
  private total = 0;

  constructor(bounds: { readonly waitersMax: number; readonly waitersOfKeyMax: number }) {
    this.max = bounds.waitersMax;
    this.ofKeyMax = bounds.waitersOfKeyMax;
  }

  get count(): number {
    return this.total;
  }

  /** @returns what gives the place back; calling it twice is calling it once. @throws {TooManyWaitersError} */
  enter(keyName: string): () => void {
    const own = this.byKey.get(keyName) ?? 0;
    if (this.total >= this.max || own >= this.ofKeyMax) throw new TooManyWaitersError();
    this.total += 1;
    this.byKey.set(keyName, own + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.total -= 1;
      const left = (this.byKey.get(keyName) ?? 1) - 1;
      if (left === 0) this.byKey.delete(keyName);
      else this.byKey.set(keyName, left);
    };
  }
}

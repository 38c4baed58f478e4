import { TooManyUploadsError } from "../errors.ts";

/** Counts uploads that are held in memory, so that they cannot use it up. */
export class Uploads {
  private readonly max: number;
  private count = 0;

  constructor({ uploadsMax }: { readonly uploadsMax: number }) {
    this.max = uploadsMax;
  }

  /** @returns what gives the place back, to be called once. @throws {TooManyUploadsError} */
  enter(): () => void {
    if (this.count >= this.max) throw new TooManyUploadsError();
    this.count += 1;
    return () => {
      this.count -= 1;
    };
  }
}

import { InvalidArgumentError } from "commander";

/** Reads an option that is an amount above 0. */
export function readAmount(text: string): number {
  const value = Number(text);
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError("It has to be a number above 0, with at most 6 decimals.");
}

/** Reads an option that is a whole number within bounds, both included. */
export function readCount(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It has to be a whole number from ${min} to ${max}.`);
  };
}

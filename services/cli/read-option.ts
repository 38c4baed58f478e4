import { InvalidArgumentError } from "commander";

/** Reads an option that is a whole number within bounds, both included. */
export function readCount(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It has to be a whole number from ${min} to ${max}.`);
  };
}

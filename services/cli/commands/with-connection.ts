import { Option } from "commander";
import type { Command } from "commander";
import { readCount } from "../read-option.ts";

/** Gives a command the options that say where its services are, and `--json`. */
export function withConnection(command: Command, service: "gateway" | "console"): Command {
  return command
    .option(`--${service}-url <url>`, `address of the ${service} (default: the one that runs here)`)
    .option("--key <key>", "API key (default: SUTURE_API_KEYS, or the one generated here)")
    .option("--data-dir <folder>", "data folder of the running Suture (SUTURE_DATA_DIR)")
    .option("--json", "write JSON", false);
}

/** An option that has to be given. */
export function required(flags: string, description: string): Option {
  return new Option(flags, description).makeOptionMandatory();
}

/** An option that is a whole number within bounds, both included. */
export function countOption(
  flags: string,
  description: string,
  { min = 1, max }: { readonly min?: number; readonly max: number },
): Option {
  return new Option(flags, description).argParser(readCount(min, max));
}

/** How many rows a page has, 50 where nothing is said. */
export function limitOption(): Option {
  return countOption("--limit <n>", "at most this many", { max: 200 }).default(50);
}

export function whyOption(isRequired = false): Option {
  return new Option("--why <reason>", "for whoever reads the audit").makeOptionMandatory(isRequired);
}

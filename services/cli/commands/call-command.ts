import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import type { Call, Endpoint } from "../http/call.ts";

/** Returns a function that adds commands for operations. Arguments are the path's parameters; `ls` is also `list`. */
export function callsOf(parent: Command, service: "gateway" | "console") {
  return <E extends Endpoint, Row = never>(
    name: string,
    description: string,
    endpoint: E,
    call: Call<E, Row> = {},
  ): void => {
    const command = parent.command(name).description(description);
    if (name === "ls") command.alias("list");
    for (const option of call.options ?? []) command.addOption(option);
    withConnection(command, service).action(async () => {
      await (await import("../http/run-call.ts")).runCall({ service, endpoint, call }, command);
    });
  };
}

/** Gives a command the options that say where its services are, and `--json`. */
export function withConnection(command: Command, service: "gateway" | "console"): Command {
  return withAddress(command, service).option("--json", "write JSON", false);
}

/** Gives a command the options that say where its services are. */
export function withAddress(command: Command, service: "gateway" | "console"): Command {
  return command
    .option(`--${service}-url <url>`, `address of the ${service} (default: the one that runs here)`)
    .option("--key <key>", "API key (default: SUTURE_API_KEYS, or the one generated here)")
    .option("--data-dir <folder>", "data folder of the running Suture (SUTURE_DATA_DIR)");
}

/** An option that has to be given. */
export function required(flags: string, description: string): Option {
  return new Option(flags, description).makeOptionMandatory();
}

/** An option that is a whole number within bounds, both included. */
export function countOption(
  flags: string,
  description: string,
  { min = 1, max, ...given }: { readonly min?: number; readonly max: number; readonly fallback?: number },
): Option {
  const option = new Option(flags, description).argParser((text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It has to be a whole number from ${min} to ${max}.`);
  });
  return given.fallback === undefined ? option : option.default(given.fallback);
}

/** An option that is an amount above 0. */
export function amountOption(flags: string, description: string, fallback?: number): Option {
  const option = new Option(flags, description).argParser((text) => {
    const value = Number(text);
    if (/^\d{1,9}(\.\d{1,6})?$/.test(text) && value > 0) return value;
    throw new InvalidArgumentError("It has to be a number above 0, with at most 6 decimals.");
  });
  return fallback === undefined ? option : option.default(fallback);
}

/** The option of the maximum rows of a page. Default: 50. */
export function limitOption(): Option {
  return countOption("--limit <n>", "at most this many", { max: 200, fallback: 50 });
}

export function whyOption(isRequired = false): Option {
  return new Option("--why <reason>", "for whoever reads the audit").makeOptionMandatory(isRequired);
}

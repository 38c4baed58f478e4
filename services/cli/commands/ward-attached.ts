import { Option } from "commander";
import type { Command } from "commander";
import type { Action, AttachedOptions } from "../attached/run-attached.ts";
import { countOption, required } from "./call-command.ts";

type Row = readonly [name: Action | `${Action} <${string}>`, description: string, options: readonly Option[]];

const BY = required("--by <name>", "who decides, for the audit");
const EFFECTS = new Option(
  "--accepts-effects",
  "you have looked whether what the jobs did so far may happen twice",
);

const QUEUE: readonly Option[] = [
  new Option("--redis <url>", "the queue's Redis").env("REDIS_URL"),
  required("--queue <name>", "the queue's name"),
  new Option("--prefix <prefix>", "BullMQ's prefix of keys").default("bull"),
  new Option(
    "--contract <file>",
    "JSON Schema of the jobs' data (default: none; then errors alone make groups)",
  ),
  new Option(
    "--at <pointer>",
    "JSON pointer to the part of the data that the contract is about (default: all)",
  ),
];

const OF_WARD: readonly Row[] = [
  [
    "attach",
    "watch the failed jobs of a BullMQ queue that runs anyway",
    [
      new Option("--mode <mode>", "watch, propose, or redrive: send proved repairs back")
        .choices(["watch", "propose", "redrive"])
        .default("watch"),
      new Option(
        "--may-repeat-effects",
        "the processor may run twice over one job; else nothing goes back by itself",
      ),
      countOption("--every <seconds>", "time between two looks", { max: 86_400, fallback: 30 }),
      new Option("--once", "look once and end").default(false),
      new Option("--json", "print each report as a line of JSON").default(false),
    ],
  ],
  [
    "detach",
    "export the cases of a BullMQ queue and delete the ward's keys",
    [required("--export <file>", "a new file for the cases, as JSON lines")],
  ],
];

const OF_ATTACHED: readonly Row[] = [
  [
    "ls",
    "list failed jobs, oldest failure first",
    [
      countOption("--limit <n>", "at most this many", { max: 1000, fallback: 50 }),
      new Option("--json", "print the cases whole"),
    ],
  ],
  [
    "edit <job>",
    "write data to a failed job; it stays failed",
    [BY, required("--data <file>", "the data as JSON; - reads standard input")],
  ],
  [
    "send <job>",
    "send a failed job back",
    [BY, EFFECTS, new Option("--data <file>", "data to write to it first, as JSON; - reads standard input")],
  ],
  [
    "apply <group>",
    "send the failed jobs of a group back",
    [
      BY,
      EFFECTS,
      new Option("--repair <how>", "rules: jobs with a proved repair; none: all, as they are")
        .choices(["rules", "none"])
        .default("rules"),
      new Option("--dry-run", "only say what would happen").default(false),
      countOption("--canary <n>", "send this many first; the others follow when these completed", {
        min: 0,
        max: 1000,
        fallback: 0,
      }),
    ],
  ],
  ["undo <job>", "write back the data that a failed job had before its edits", [BY]],
  ["undo-batch <batch>", "undo the edits of an apply, of jobs that failed again", [BY]],
  [
    "learn <job>",
    "make a recipe of a repair by hand, for jobs of the same fault; the job stays as it is",
    [BY, required("--data <file>", "what the job's data should be, as JSON; - reads standard input")],
  ],
  ["recipes", "list the recipes of a queue", [new Option("--json", "print the recipes whole")]],
  ["forget <recipe>", "delete a recipe", []],
];

/** Commands for BullMQ queues that run anyway. They talk to Redis themselves; no Suture has to run. */
export function addAttached(ward: Command): void {
  addRows(ward, OF_WARD);
  const attached = ward
    .command("attached")
    .description("decide about failed jobs of a BullMQ queue that runs anyway");
  addRows(attached, OF_ATTACHED);
}

function addRows(parent: Command, rows: readonly Row[]): void {
  for (const [name, description, options] of rows) {
    const command = parent.command(name).description(description);
    if (name === "ls") command.alias("list");
    for (const option of [...QUEUE, ...options]) command.addOption(option);
    command.action(async () => {
      const { runAttached } = await import("../attached/run-attached.ts");
      // A row's name begins with its action.
      await runAttached(command.name() as Action, command.args[0] ?? "", command.opts<AttachedOptions>());
    });
  }
}

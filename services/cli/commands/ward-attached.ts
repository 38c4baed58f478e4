import { Option } from "commander";
import type { Command } from "commander";
import type { AttachCommandOptions } from "../attached/attach.ts";
import type { DecideOptions } from "../attached/decide.ts";
import type { AttachOptions } from "../attached/with-ward.ts";
import { readCount } from "../read-option.ts";

type GroupOptions = DecideOptions & {
  readonly repair: "rules" | "none";
  readonly dryRun: boolean;
  readonly canary: number;
};

/** Commands for BullMQ queues that run anyway. They talk to Redis themselves; no Suture has to run. */
export function addAttached(ward: Command): void {
  withQueue(ward.command("attach").description("watch the failed jobs of a BullMQ queue that runs anyway"))
    .addOption(
      new Option("--mode <mode>", "watch, propose, or redrive: send proved repairs back")
        .choices(["watch", "propose", "redrive"])
        .default("watch"),
    )
    .option(
      "--may-repeat-effects",
      "the processor may run twice over one job; else nothing goes back by itself",
    )
    .addOption(secondsOption())
    .option("--once", "look once and end", false)
    .option("--json", "print each report as a line of JSON", false)
    .action(async (options: AttachCommandOptions) => (await import("../attached/attach.ts")).attach(options));
  withQueue(
    ward.command("detach").description("export the cases of a BullMQ queue and delete the ward's keys"),
  )
    .requiredOption("--export <file>", "a new file for the cases, as JSON lines")
    .action(async (options: AttachOptions & { readonly export: string }) =>
      (await import("../attached/detach.ts")).detach(options),
    );
  const attached = ward
    .command("attached")
    .description("decide about failed jobs of a BullMQ queue that runs anyway");
  addDecisions(attached);
  addRecipes(attached);
}

function addDecisions(attached: Command): void {
  withQueue(attached.command("ls").alias("list").description("list failed jobs, oldest failure first"))
    .addOption(new Option("--limit <n>", "at most this many").argParser(readCount(1, 1000)).default(50))
    .option("--json", "print the cases whole")
    .action(async (options: AttachOptions & { readonly limit: number; readonly json?: boolean }) =>
      (await import("../attached/decide.ts")).listCases(options),
    );
  withPerson(attached.command("edit <job>").description("write data to a failed job; it stays failed"))
    .requiredOption("--data <file>", "the data as JSON; - reads standard input")
    .action(async (job: string, options: DecideOptions) =>
      (await import("../attached/decide.ts")).decideJob(job, options, false),
    );
  withEffects(withPerson(attached.command("send <job>").description("send a failed job back")))
    .option("--data <file>", "data to write to it first, as JSON; - reads standard input")
    .action(async (job: string, options: DecideOptions) =>
      (await import("../attached/decide.ts")).decideJob(job, options, true),
    );
  withEffects(
    withPerson(attached.command("apply <group>").description("send the failed jobs of a group back")),
  )
    .addOption(
      new Option("--repair <how>", "rules: jobs with a proved repair; none: all, as they are")
        .choices(["rules", "none"])
        .default("rules"),
    )
    .option("--dry-run", "only say what would happen", false)
    .addOption(
      new Option("--canary <n>", "send this many first; the others follow when these completed")
        .argParser(readCount(0, 1000))
        .default(0),
    )
    .action(async (group: string, options: GroupOptions) =>
      (await import("../attached/decide.ts")).applyToGroup(group, options),
    );
  withPerson(
    attached.command("undo <job>").description("write back the data that a failed job had before its edits"),
  ).action(async (job: string, options: DecideOptions) =>
    (await import("../attached/decide.ts")).undo({ job }, options),
  );
  withPerson(
    attached
      .command("undo-batch <batch>")
      .description("undo the edits of an apply, of jobs that failed again"),
  ).action(async (batch: string, options: DecideOptions) =>
    (await import("../attached/decide.ts")).undo({ batch }, options),
  );
}

function addRecipes(attached: Command): void {
  withPerson(
    attached
      .command("learn <job>")
      .description("make a recipe of a repair by hand, for jobs of the same fault; the job stays as it is"),
  )
    .requiredOption("--data <file>", "what the job's data should be, as JSON; - reads standard input")
    .action(async (job: string, options: DecideOptions & { readonly data: string }) =>
      (await import("../attached/recipes.ts")).learn(job, options),
    );
  withQueue(attached.command("recipes").description("list the recipes of a queue"))
    .option("--json", "print the recipes whole")
    .action(async (options: AttachOptions & { readonly json?: boolean }) =>
      (await import("../attached/recipes.ts")).listRecipes(options),
    );
  withQueue(attached.command("forget <recipe>").description("delete a recipe")).action(
    async (recipe: string, options: AttachOptions) =>
      (await import("../attached/recipes.ts")).forgetRecipe(recipe, options),
  );
}

function withQueue(command: Command): Command {
  return command
    .addOption(new Option("--redis <url>", "the queue's Redis").env("REDIS_URL"))
    .requiredOption("--queue <name>", "the queue's name")
    .option("--prefix <prefix>", "BullMQ's prefix of keys", "bull")
    .option(
      "--contract <file>",
      "JSON Schema of the jobs' data (default: none; then errors alone make groups)",
    )
    .option(
      "--at <pointer>",
      "JSON pointer to the part of the data that the contract is about (default: all)",
    );
}

function withPerson(command: Command): Command {
  return withQueue(command).requiredOption("--by <name>", "who decides, for the audit");
}

function withEffects(command: Command): Command {
  return command.option(
    "--accepts-effects",
    "you have looked whether what the jobs did so far may happen twice",
  );
}

function secondsOption(): Option {
  return new Option("--every <seconds>", "time between two looks")
    .argParser(readCount(1, 86_400))
    .default(30);
}

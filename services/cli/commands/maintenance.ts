import { Option } from "commander";
import type { Command } from "commander";
import { callsOf, countOption, required, whyOption, withConnection } from "./call-command.ts";
import type { AnswerTo } from "../http/call.ts";

type Maintenance = AnswerTo<"GET /v1/maintenance">;

/** Commands around an upgrade: what stands against it, and getting the work done before it. */
export function addUpgrade(program: Command): void {
  program
    .command("upgrade")
    .description("before and after another release")
    .command("check")
    .description("say whether this release may start beside what runs; exit code 1 if not")
    .option("--data-dir <folder>", "data folder of the services (SUTURE_DATA_DIR)")
    .option("--json", "write JSON")
    .action(async (options) => {
      process.exitCode = await (await import("../maintenance/check-upgrade.ts")).runUpgradeCheck(options);
    });
}

export function addDrain(program: Command): void {
  const within = { min: 0, max: 604_800, fallback: 600 };
  const drain = program
    .command("drain")
    .description("refuse new tasks, and wait until no run is left; exit code 1 if some are")
    .option("--undo", "take new tasks again", false)
    .addOption(countOption("--within <seconds>", "wait so long at most", within))
    .addOption(whyOption());
  withConnection(drain, "console").action(async (options) => {
    process.exitCode = await (await import("../maintenance/drain.ts")).runDrain(options);
  });
}

export function addRestore(program: Command): void {
  const restore = program
    .command("restore")
    .description("after Redis came back from a snapshot: hold agents, list what was done since, go on");
  const add = callsOf(restore, "console");
  add("begin", "hold agents and gateways; only while no agent is at work", "POST /v1/restore/begin", {
    options: [
      required("--snapshot-at <time>", "time of the snapshot, such as 2027-01-31T08:00:00Z"),
      whyOption(true),
    ],
    say: describeRestore,
  });
  const list = restore
    .command("list <file>")
    .description(
      "list effects and tasks that were done since, from a file of JSON lines (- for standard input)",
    );
  withConnection(list, "console").action(async (file, options) =>
    (await import("../maintenance/list-restored.ts")).listRestored(file, options),
  );
  add("end", "let agents and gateways work; tasks live longer by the gap", "POST /v1/restore/end", {
    options: [
      new Option(
        "--unlisted <what>",
        "effects not listed: ask provider or person, or act as the list is complete",
      )
        .choices(["ask", "act"])
        .default("ask"),
      whyOption(true),
    ],
    say: describeRestore,
  });
  add("status", "say how the last restore stands", "GET /v1/maintenance", { say: describeRestore });
}

/** Says how the last restore stands. */
export function describeRestore({ restore, waiting }: Pick<Maintenance, "restore" | "waiting">): string {
  if (restore === null) return "Redis was never restored.";
  const open = Object.values(waiting).reduce((sum, count) => sum + count, 0);
  const { snapshot_at, ended_at, unlisted, listed } = restore;
  const known = `${listed} effects and tasks are listed as done since ${snapshot_at}; ${open} runs wait.`;
  if (ended_at === null) return `Agents and gateways are held. ${known}`;
  const others = unlisted === "ask" ? "ask their providers or wait for a person" : "are done";
  return `Agents work since ${ended_at}. ${known} Other effects of earlier runs ${others}.`;
}

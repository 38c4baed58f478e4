import type { Command } from "commander";
import { loadPackage } from "#shared/errors";
import { CommandRefusedError } from "../errors.ts";
import { amountOption, countOption, withAddress, withConnection } from "./call-command.ts";
import { SEED_MAX } from "./start.ts";

/** Tools of who runs a deployment: keys, rights, containers, checks, evidence, mail; and of who writes teams. */
export function addKeys(program: Command): void {
  const keys = program
    .command("keys")
    .description("make, issue and rotate the keys that messages are sealed with");
  const add = (name: string, description: string): Command =>
    keys
      .command(name)
      .description(description)
      .option("--data-dir <folder>", "where the master is kept (SUTURE_DATA_DIR)");
  const commands = () => import("../keys/key-commands.ts");
  add("new", "make the master that all keys are derived from").action(async (options) =>
    (await commands()).makeMaster(options),
  );
  add(
    "prepare",
    "make and issue all that services need that share one data folder, as in docker-compose.yml",
  ).action(async (options) => (await commands()).prepareKeys(options));
  add(
    "issue <agent>",
    "issue the keys of one agent's edges, and no others; gateway and surgeon are agents too",
  )
    .option("--out <file>", "where to; - writes to standard output (default: the data folder)")
    .action(async (agent, options) => (await commands()).issue(agent, options));
  add("status", "which generations sign and verify, and what the key file of each process has")
    .option("--json", "print JSON")
    .action(async (options) => (await commands()).showKeys(options));
  const retired = { max: 1e9 };
  add("rotate", "take the next step of a rotation: first the new keys verify everywhere, then they sign")
    .addOption(countOption("--retire-before <generation>", "forget generations older than this one", retired))
    .action(async (options) => (await commands()).rotate(options));
}

export function addRedisAcl(program: Command): void {
  program
    .command("redis-acl")
    .description("write the users of Redis: agent, gateway, surgeon, console and readonly")
    .requiredOption("--out <folder>", "where users.acl and passwords.json go; kept passwords stay")
    .action(async (options) => void (await import("../keys/redis-users.ts")).writeRedisAcl(options));
}

const fileTeams: [flags: string, description: string, fallback: string[]] = [
  "--file-teams <team...>",
  "teams whose agents read the files that clients upload",
  ["documents"],
];

/** The commands behind docker-compose.yml: they write it, and the secrets of its containers. */
export function addCompose(program: Command): void {
  const compose = program
    .command("compose")
    .description("write the compose file of the loaded teams, and the secrets of its containers");
  compose
    .command("write")
    .description("write a compose file with one container for each service and each agent")
    .option("--out <file>", "where to; - writes to standard output", "-")
    .option(...fileTeams)
    .action(async (options) => (await import("../compose/compose-file.ts")).writeComposeFile(options));
  compose
    .command("secrets")
    .description("write each container's secrets into a folder of its own; the compose file runs this")
    .requiredOption("--out <folder>", "holds one folder for each container")
    .requiredOption("--volumes <folder>", "holds the containers' data folders")
    .option("--redis <address>", "of the Redis that containers use", "redis://redis:6379")
    .option(...fileTeams)
    .action(async (options) => (await import("../compose/write-secrets.ts")).writeSecrets(options));
}

/** The command that writes a deployment on Kubernetes. */
export function addDeploy(program: Command): void {
  const shards = { max: 256, fallback: 2 };
  program
    .command("deploy")
    .description("write what it takes to run the loaded teams on Kubernetes")
    .command("render")
    .description(
      "write manifests for kustomize and KEDA, and the secrets of each agent; again after each change",
    )
    .requiredOption("--out <folder>", "where to; what this command wrote there before is replaced")
    .option("--image <image>", "of all services and agents, as nodes pull it", "suture:latest")
    .option("--namespace <name>", "of all objects", "suture")
    .addOption(countOption("--shards <n>", "Redis servers of the overlay many-nodes; only ever more", shards))
    .option("--redis <addresses>", "of a Redis elsewhere: writes the overlay managed-redis too")
    .option(...fileTeams)
    .action(async (options) => (await import("../deploy/render-command.ts")).renderDeployment(options));
}

/** The command that says what protects this installation and what is open. */
export function addDoctor(program: Command): void {
  const seconds = { max: 3600, fallback: 180 };
  program
    .command("doctor")
    .description(
      "say what protects this installation and what is open; exit code 1 if a promise does not hold",
    )
    .option("--data-dir <folder>", "data folder of the services (SUTURE_DATA_DIR)")
    .option("--model", "ask the configured endpoint what its models can; exit code 1 if no team could run")
    .addOption(amountOption("--cost-max <usd>", "with --model: the most that its calls may cost", 0.25))
    .addOption(countOption("--seconds <n>", "with --model: no further call is made after that", seconds))
    .option("--json", "write JSON")
    .action(async (options) => {
      process.exitCode =
        options.model === true
          ? await (await import("../doctor/run-model-doctor.ts")).runModelDoctor(options)
          : await (await import("../doctor/run-doctor.ts")).runDoctor(options);
    });
}

export function addAudit(program: Command): void {
  const audit = program
    .command("audit")
    .description("what people did: verify that nobody changed it, export it");
  const verify = audit
    .command("verify")
    .description(
      "hold every record against its signature and the one before it; exit code 1 where one is changed",
    )
    .option("--since <head>", "a head that an earlier verify printed: the records have to hold it still")
    .option("--against <file>", "an earlier export: the records have to hold its last one still");
  withConnection(verify, "console").action(async (options) =>
    (await import("../audit/verify-audit.ts")).verifyRecords(options),
  );
  const exported = audit
    .command("export")
    .description("write all records, oldest first, as JSON lines, as they were signed")
    .option("--out <file>", "the file to write (default: standard output)");
  withConnection(exported, "console").action(async (options) =>
    (await import("../audit/verify-audit.ts")).exportRecords(options),
  );
}

export function addMail(program: Command): void {
  const command = program
    .command("mail")
    .description("make a task of every unseen mail of SUTURE_IMAP_URL, until Ctrl+C")
    .option("--once", "look once and end", false);
  withConnection(command, "gateway").action(async (options) => {
    const { runMail } = await loadPackage(["imapflow", "postal-mime"], () => import("../mail/run-mail.ts"));
    await runMail(options);
  });
}

export function addMcp(program: Command): void {
  const mcp = program
    .command("mcp")
    .description("be the MCP server of the console's operations on standard input and output, for assistants")
    // Options of `pin` are its own.
    .enablePositionalOptions();
  withAddress(mcp, "console").action(async (options) =>
    (await import("../mcp/mcp-commands.ts")).serveConsole(options),
  );
  mcp
    .command("pin [command...]")
    .description(
      "start a server, or ask the one at --url, and print a declaration of its tools with their hashes",
    )
    .option("--url <address>", "a server that speaks Streamable HTTP (default: the command is started)")
    .option("--header <name=value>", "header for --url; may be repeated", collect, {})
    .option("--env <name=value>", "variable for the command; may be repeated", collect, {})
    .option("--json", "print name, description and hash of each tool as JSON", false)
    .action(async (command, options) => (await import("../mcp/mcp-commands.ts")).pinTools(command, options));
}

function collect(pair: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = pair.indexOf("=");
  if (at < 1)
    throw new CommandRefusedError(`${pair.slice(0, 64)} is not NAME=VALUE`, "Write it as NAME=VALUE.");
  return { ...before, [pair.slice(0, at)]: pair.slice(at + 1) };
}

export function addRepair(program: Command): void {
  program
    .command("repair [file]")
    .description("first aid alone: JSON out and what was changed on stderr, or a refusal with exit code 2")
    .option(
      "--schema <file>",
      "JSON Schema (2020-12) that the result has to satisfy (default: only the syntax is mended)",
    )
    .option(
      "--json",
      "print the whole result: the value with its evidence, or the refusal's candidates",
      false,
    )
    .action(async (file, options) => (await import("../repair/repair-command.ts")).repair(file, options));
}

export function addEval(program: Command): void {
  const within = { max: 86_400, fallback: 120 };
  program
    .command("eval [teams...]")
    .description(
      "measure teams (default: every one) and their variants on their labelled sets: accuracy, cost, latency, differences",
    )
    .option("--variant <name...>", "only these; as-it-is is the team itself (default: all)")
    .addOption(countOption("--limit <n>", "take at most this many cases (default: all)", { max: 1_000_000 }))
    .addOption(countOption("--concurrency <n>", "runs at a time", { max: 1000, fallback: 4 }))
    .addOption(countOption("--seed <n>", "of the rehearsal's faults", { min: 0, max: SEED_MAX }))
    .option("--json <file>", "also write the summary to this file, as JSON")
    .addOption(amountOption("--cost-max <usd>", "begin no further run once so much is paid", 5))
    .addOption(countOption("--within <seconds>", "time that one run may take", within))
    .action(async (teams, options) => (await import("../eval/run-eval.ts")).runEval(teams, options));
}

import { Command } from "commander";
import tab from "@bomb.sh/tab/commander";
import { addAgents, addCosts, addProducers, addQueues } from "./commands/agents.ts";
import { addApi } from "./commands/api.ts";
import { addApiKeys } from "./commands/api-keys.ts";
import { addRecipes } from "./commands/recipes.ts";
import { addRuns, addSubmit, addTeams, addTypes } from "./commands/runs.ts";
import { addDrain, addRestore, addUpgrade } from "./commands/maintenance.ts";
import * as start from "./commands/start.ts";
import * as tools from "./commands/tools.ts";
import { addWard } from "./commands/ward.ts";
import { readOwnPackage } from "./own-package.ts";

/** Every command of `suture`, in the order of the help. Usage errors are thrown as CommanderError. */
export function createProgram(): Command {
  const program = new Command("suture")
    .description("Teams of LLM agents as queue-driven microservices that heal themselves.")
    .version(readOwnPackage().version, "--version", "print the version")
    .exitOverride()
    .showHelpAfterError("Add --help for the options.")
    .configureHelp({ showGlobalOptions: true })
    .hook("preAction", async (_program, command) => {
      // A folder that is not a project yet, or not installed; an agent that is not trusted with the project's settings.
      if (["init", "serve-agent", "complete"].includes(command.name())) return;
      const { openProject } = await import("#shared/config");
      await openProject(process.cwd(), process.env);
    });
  const { addInit, addDev, addUp, addDemo, addServices, addServeAgent, addNew } = start;
  const {
    addMail,
    addAudit,
    addEval,
    addKeys,
    addRedisAcl,
    addCompose,
    addDeploy,
    addDoctor,
    addMcp,
    addRepair,
  } = tools;
  const [running, shown] = [
    [addInit, addDev, addUp, addDemo, addServices, addServeAgent, addSubmit, addMail, addRuns, addWard],
    [
      addRecipes,
      addAudit,
      addCosts,
      addProducers,
      addQueues,
      addAgents,
      addTeams,
      addTypes,
      addEval,
      addApiKeys,
      addApi,
    ],
  ];
  const kept = [
    addKeys,
    addRedisAcl,
    addCompose,
    addDeploy,
    addDoctor,
    addUpgrade,
    addDrain,
    addRestore,
    addMcp,
    addNew,
    addRepair,
  ];
  for (const add of [...running, ...shown, ...kept]) add(program);
  // Adds "complete", which prints a shell's script and answers it.
  tab(program);
  return program;
}

import { Command } from "commander";
import { addAgents, addCircuits, addQueues } from "./commands/agents.ts";
import { addApiKeys } from "./commands/api-keys.ts";
import { addAudit } from "./commands/audit.ts";
import { addCompose } from "./commands/compose.ts";
import { addDemo } from "./commands/demo.ts";
import { addDev } from "./commands/dev.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEval } from "./commands/eval.ts";
import { addInit } from "./commands/init.ts";
import { addKeys } from "./commands/keys.ts";
import { addMail } from "./commands/mail.ts";
import { addMcp } from "./commands/mcp.ts";
import { addNew } from "./commands/new.ts";
import { addRecipes } from "./commands/recipes.ts";
import { addRedisAcl } from "./commands/redis-acl.ts";
import { addRepair } from "./commands/repair.ts";
import { addRuns, addSubmit } from "./commands/runs.ts";
import { addServeAgent } from "./commands/serve-agent.ts";
import { addServices } from "./commands/services.ts";
import { addTeams, addTypes } from "./commands/teams.ts";
import { addUp } from "./commands/up.ts";
import { addWard } from "./commands/ward.ts";

/** Every command of `suture`, in the order of the help. Usage errors are thrown as CommanderError. */
export function createProgram(): Command {
  const program = new Command("suture")
    .description("Teams of LLM agents as queue-driven microservices that heal themselves.")
    .exitOverride()
    .showHelpAfterError("Add --help for the options.")
    .configureHelp({ showGlobalOptions: true })
    .hook("preAction", async (_program, command) => {
      // A folder that is not a project yet, or not installed; an agent that is not trusted with the project's settings.
      if (command.name() === "init" || command.name() === "serve-agent") return;
      const { openProject } = await import("#shared/config");
      await openProject(process.cwd(), process.env);
    });
  for (const add of [
    addInit,
    addDev,
    addUp,
    addDemo,
    addServices,
    addServeAgent,
    addSubmit,
    addMail,
    addRuns,
    addWard,
    addRecipes,
    addAudit,
    addCircuits,
    addQueues,
    addAgents,
    addTeams,
    addTypes,
    addEval,
    addApiKeys,
    addKeys,
    addRedisAcl,
    addCompose,
    addDoctor,
    addMcp,
    addNew,
    addRepair,
  ]) {
    add(program);
  }
  return program;
}

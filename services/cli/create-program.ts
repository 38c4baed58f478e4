import { Command } from "commander";
import { addAgents } from "./commands/agents.ts";
import { addApiKeys } from "./commands/api-keys.ts";
import { addAsyncApi } from "./commands/asyncapi.ts";
import { addAudit } from "./commands/audit.ts";
import { addCircuits } from "./commands/circuits.ts";
import { addCompose } from "./commands/compose.ts";
import { addDemo } from "./commands/demo.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEval } from "./commands/eval.ts";
import { addKeys } from "./commands/keys.ts";
import { addMail } from "./commands/mail.ts";
import { addMcp } from "./commands/mcp.ts";
import { addNew } from "./commands/new.ts";
import { addQueues } from "./commands/queues.ts";
import { addRecipes } from "./commands/recipes.ts";
import { addRedisAcl } from "./commands/redis-acl.ts";
import { addRepair } from "./commands/repair.ts";
import { addRuns } from "./commands/runs.ts";
import { addServices } from "./commands/services.ts";
import { addSubmit } from "./commands/submit.ts";
import { addTeams } from "./commands/teams.ts";
import { addUp } from "./commands/up.ts";
import { addWard } from "./commands/ward.ts";

/** Every command of `suture`, in the order of the help. Usage errors are thrown as CommanderError. */
export function createProgram(): Command {
  const program = new Command("suture")
    .description("Teams of LLM agents as queue-driven microservices that heal themselves.")
    .exitOverride()
    .showHelpAfterError("Add --help for the options.")
    .configureHelp({ showGlobalOptions: true });
  for (const add of [
    addUp,
    addDemo,
    addServices,
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
    addAsyncApi,
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

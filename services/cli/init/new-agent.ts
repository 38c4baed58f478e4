import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { z } from "zod";
import { loadConfig } from "#shared/config";
import { contract } from "#shared/contract";
import { agent, AgentDefinitionError } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import { write } from "../print/print-answer.ts";
import { fillTemplates, writeFiles } from "../templates/fill-templates.ts";
import { testsByVitest } from "./merge-manifest.ts";

/** Narrower than what an agent may be called: it becomes the name of a folder and of things in code too. */
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/**
 * Writes a working agent: with no team named, in a folder and a team of its own; else in a folder within that team's.
 *
 * @throws {CommandRefusedError} The name cannot be used or is taken, or there is something in the folder already.
 */
export async function newAgent(name: string, { team }: { readonly team?: string }): Promise<void> {
  const { teamsDir } = loadConfig();
  await refuseName(name, teamsDir);
  const folder = team === undefined ? join(teamsDir, name) : join(findTeam(team, teamsDir), name);
  if (existsSync(folder))
    throw new CommandRefusedError(`${folder} is there already.`, "Choose another name, or remove it.");
  const kinds = team === undefined ? (["agent", "team"] as const) : (["agent"] as const);
  const manifest = existsSync("package.json") ? readFileSync("package.json", "utf8") : null;
  const files = kinds
    .flatMap((kind) => fillTemplates(kind, name))
    .filter(({ path }) => testsByVitest(manifest) || !path.endsWith(".test.ts"));
  writeFiles(folder, files);
  const shown = relative(process.cwd(), folder) || ".";
  write(`Written to ${shown}: ${files.map(({ path }) => path).join(", ")}.`);
  write(nextSteps(name, shown, team !== undefined));
}

async function refuseName(name: string, teamsDir: string): Promise<void> {
  if (!NAME.test(name)) {
    throw new CommandRefusedError(
      "An agent's name is lower-case letters and digits, with single hyphens between words.",
      "Choose one like invoice-reader.",
    );
  }
  try {
    // The runtime decides whether it takes the name.
    agent(`${name}@1`, {
      accepts: contract("any.thing@1", z.object({})),
      handle: (_, ctx) => ctx.complete({}),
    });
  } catch (error) {
    if (!(error instanceof AgentDefinitionError)) throw error;
    throw new CommandRefusedError(error.message, error.remedy);
  }
  const teams = await loadTeams(teamsDir);
  const owner = teams.find((team) => team.agents.has(name));
  if (owner === undefined) return;
  throw new CommandRefusedError(
    `Team ${owner.name} has an agent called ${name}.`,
    "Names are queues' names: choose another.",
  );
}

/** A folder by its path, or by the name it has among the teams. */
function findTeam(team: string, teamsDir: string): string {
  const found = [resolve(team), join(teamsDir, team)].find((folder) => existsSync(join(folder, "team.ts")));
  if (found !== undefined) return found;
  throw new CommandRefusedError(
    `${team} is no team's folder: it has no team.ts.`,
    "Name one like services/agents/support.",
  );
}

function nextSteps(name: string, folder: string, isJoining: boolean): string {
  const joining = isJoining
    ? [`Add it to the team: import it in team.ts, and name it in "to" of whoever hands work to it.`]
    : [
        `Try it: npm start, then echo '{"text":"Hello. How are you?"}' | npx suture submit ${name} --input - --watch`,
      ];
  const steps = [
    `Test it: npx vitest run ${folder}, or by your own runner with openTeam of suture/testing`,
    `Make it yours: contracts.ts, prompt.md, stand-in.ts, agent.ts.`,
    ...joining,
  ];
  return steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
}

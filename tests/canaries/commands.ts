import type { Command } from "commander";
import { createProgram } from "../../services/cli/create-program.ts";

/** Commands whose output is searched, as they are begun. */
export const SEARCHED = [
  "runs show",
  "runs ls",
  "runs watch",
  "ward show",
  "ward ls",
  "ward groups",
  "ward costs",
  "audit export",
  "queues ls",
  "agents",
  "recipes ls",
] as const;

/** Commands that print nothing of a payload that came from elsewhere, by the reason. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  "print what they were told to do": [
    ..."operate,release,discard,restore,approve,refuse,apply,applied,undo,acknowledge,resolve,reopen,propose"
      .split(",")
      .map((verb) => `ward ${verb}`),
    "ward sign",
    "ward decline",
    "ward write-cause",
    "recipes approve",
    "recipes retire",
    "recipes edit",
    "runs cancel",
    "queues pause",
    "queues resume",
    "audit verify",
    "drain",
    ..."begin,list,status,end".split(",").map((verb) => `restore ${verb}`),
  ],
  "show a client its own run": ["submit", "runs replay"],
  "prints how many mails it took, and errors without their text": ["mail"],
  "prints what a server of the caller declares": ["mcp pin"],
  "reveal, with a reason that is written down": ["runs reveal", "ward reveal"],
  "print recipes, which hold no value of a message, and rates": [
    "recipes show",
    "recipes try",
    "producers",
    "costs",
  ],
  "prints answers of the API as they come, which are searched by themselves": ["api call"],
  "print names of operations and commands": ["api ls", "complete"],
  "prints the note and its examples; assistants.test.ts searches what is masked": ["ward cause"],
  "start services, whose logs are searched": [
    "up",
    "demo",
    "work",
    "gateway",
    "serve-agent",
    "surgeon",
    "console",
    "dev",
  ],
  "read files of their caller": [
    "repair",
    "eval",
    "new agent",
    "teams ls",
    "teams matrix",
    "teams draw",
    "init",
  ],
  "prints contracts as the gateway describes them": ["types"],
  "read a queue whose Redis their caller opens; group-cases.test.ts of the ward searches what is masked": [
    "ward attach",
    "ward detach",
    ..."ls,edit,send,apply,undo,undo-batch,learn,recipes,forget"
      .split(",")
      .map((verb) => `ward attached ${verb}`),
  ],
  "are about keys and settings": [
    "api-keys create",
    "api-keys list",
    "api-keys revoke",
    "redis-acl",
    "compose write",
    "compose secrets",
    "deploy render",
    "doctor",
    "upgrade check",
    ..."new,prepare,issue,status,rotate".split(",").map((verb) => `keys ${verb}`),
  ],
};

export function allCommands(): string[] {
  const walk = (command: Command, name: string): string[] =>
    command.commands.length === 0
      ? [name]
      : command.commands.flatMap((inner) => walk(inner, `${name} ${inner.name()}`.trim()));
  return walk(createProgram(), "");
}

export function knownCommands(): string[] {
  return [...SEARCHED, ...Object.values(OTHERS).flat()];
}

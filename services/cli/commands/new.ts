import type { Command } from "commander";

export function addNew(program: Command): void {
  program
    .command("new")
    .description("write the beginnings of something new")
    .command("agent <name>")
    .description("a working agent with its stand-in, its prompt and its test")
    .option("--team <folder>", "folder of the team it joins (default: a team of its own)")
    .action(async (name: string, options: { readonly team?: string }) => {
      const { newAgent } = await import("../templates/new-agent.ts");
      await newAgent(name, options);
    });
}

import type { Command } from "commander";

export function addInit(program: Command): void {
  program
    .command("init")
    .description(
      "make this folder a project: a team with its test, configuration, Dockerfile, compose file, CI",
    )
    .option("--yes", "write without asking", false)
    .action(async (options: { readonly yes: boolean }) => {
      const { initProject } = await import("../init/init-project.ts");
      await initProject(process.cwd(), { isAgreed: options.yes });
    });
}

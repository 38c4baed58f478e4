import { parseArgs } from "node:util";
import type { Service } from "#shared/runtime/service";

/** Works for the named agents; without names for all. `--team` names the folder of the one team to load. */
export const service: Service = {
  name: "agents",
  open: async (config, logger) => {
    const { openAgents } = await import("./open-agents.ts");
    const { values, positionals } = parseArgs({
      options: { team: { type: "string" } },
      allowPositionals: true,
    });
    const running = await openAgents(config, { agents: positionals, team: values.team ?? null }, logger);
    logger.info({ agents: running.agents }, "agents at work");
    return { failed: running.failed, stop: (graceMs) => running.close(graceMs) };
  },
};

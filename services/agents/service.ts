import type { Service } from "#shared/runtime/service";

/** Works for the agents that the command line names; without names for every agent of every team. */
export const service: Service = {
  name: "agents",
  open: async (config, logger) => {
    const { openAgents } = await import("./open-agents.ts");
    const running = await openAgents(config, process.argv.slice(2), logger);
    logger.info({ agents: running.agents }, "agents at work");
    return { failed: running.failed, stop: (graceMs) => running.close(graceMs) };
  },
};

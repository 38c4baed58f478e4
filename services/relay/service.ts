import type { Service } from "#shared/runtime/service";

export const service: Service = {
  name: "relay",
  open: async (config, logger) => {
    const { openRelay } = await import("./open-relay.ts");
    const relay = await openRelay(config, logger);
    logger.info({ agents: relay.agents }, "relay at work");
    return relay;
  },
};

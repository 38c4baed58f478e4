import type { Service } from "#shared/runtime/service";

export const service: Service = {
  name: "surgeon",
  open: async (config, logger) => {
    const { openSurgeon } = await import("./open-surgeon.ts");
    const surgeon = await openSurgeon(config, logger);
    logger.info("surgeon at work");
    return surgeon;
  },
};

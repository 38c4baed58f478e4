import type { Service } from "#shared/runtime/service";

export const service: Service = {
  name: "console",
  open: async (config, logger) => {
    const { openHealth } = await import("#shared/runtime/process");
    const { openConsole } = await import("./open-console.ts");
    const { startConsole } = await import("./server.ts");
    const parts = await openConsole(config, logger);
    const running = await startConsole(parts, { host: config.consoleHost, port: config.consolePort });
    const health = await openHealth({ ...parts, config });
    logger.info({ url: running.url }, "console listens");
    return {
      stop: async (graceMs) => {
        health.stopping();
        await running.stop(graceMs);
        await parts.close();
        await health.close();
      },
    };
  },
};

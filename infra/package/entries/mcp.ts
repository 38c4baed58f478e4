export * from "#shared/mcp";
export * from "#shared/mcp/serve";

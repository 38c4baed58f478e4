export * from "#shared/mcp";

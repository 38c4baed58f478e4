export * from "#shared/contract";
export * from "#shared/runtime";
export * from "#shared/patterns";

export * from "#shared/testing";

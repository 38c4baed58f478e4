/** Variables that every process of a test needs of the environment; the rest is the test's to say. */
export function processEnv(): { readonly PATH: string; readonly NODE_COMPILE_CACHE: string } {
  return {
    PATH: process.env["PATH"] ?? "",
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
  };
}

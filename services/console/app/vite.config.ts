import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig } from "vite";
import type { Plugin } from "vite";

/** Names are by content, so that a browser keeps each file for ever. */
const NAMED = "assets/[name]-[hash]";

/** Writes each file compressed too: the console sends it as it lies there. */
function precompressed(): Plugin {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return {
    name: "precompressed",
    writeBundle({ dir = "." }, bundle) {
      for (const name of Object.keys(bundle)) {
        const bytes = readFileSync(join(dir, name));
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params }));
        writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  logLevel: "warn",
  root: import.meta.dirname,
  build: {
    outDir: "../built",
    emptyOutDir: true,
    target: "es2023",
    // Trusted types allow no text as a script, and browsers that know these preload by themselves.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The first one has React, router and queries: 150 kB as it is sent.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // A busy machine is no fault of the build.
      checks: { pluginTimings: false },
      onwarn(warning, warn) {
        // Marks of libraries for servers that render pages, of which there is none here.
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
      output: {
        entryFileNames: `${NAMED}.js`,
        chunkFileNames: `${NAMED}.js`,
        assetFileNames: `${NAMED}[extname]`,
      },
    },
  },
  plugins: [precompressed()],
});

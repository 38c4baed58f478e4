import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLIENT_FILE, renderClient } from "./render-client.ts";

test("the types of the client are those of the declarations (npm run client writes them)", async () => {
  expect(await renderClient()).toBe(readFileSync(CLIENT_FILE, "utf8"));
});

import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { StateFile } from "./state-file.ts";

async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "suture-state-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("takes many writes at once, and ends with the newest state", async () => {
  const folder = await ownFolder();
  const file = join(folder, "orders.json");
  const kept = new StateFile(file, z.number());
  let state = 0;
  const writes = Array.from({ length: 50 }, () => {
    state += 1;
    return kept.write(() => state);
  });
  await Promise.all(writes);
  expect(await kept.read()).toBe(50);
  expect(await readdir(folder)).toEqual(["orders.json"]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("tells whoever asked of a write that failed, and takes the next one", async () => {
  const folder = await ownFolder();
  const taken = join(folder, "state");
  await writeFile(taken, "a file where a folder is wanted");
  const kept = new StateFile(join(taken, "orders.json"), z.string());
  const failed = kept.write(() => "first");
  await expect(failed).rejects.toThrow(/EEXIST|ENOTDIR/);
  await rm(taken);
  await kept.write(() => "second");
  expect(await kept.read()).toBe("second");
});

test("reads no file of another form", async () => {
  const file = join(await ownFolder(), "orders.json");
  await new StateFile(file, z.number()).write(() => 1);
  expect(await new StateFile(file, z.string()).read()).toBeNull();
  expect(await new StateFile(`${file}.none`, z.string()).read()).toBeNull();
});

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { LibraryUnavailableError } from "../errors.ts";
import { SOURCES_DIR } from "../testing/open-team.ts";
import { createFolderLibrary } from "./folder-library.ts";

const NEVER = new AbortController().signal;

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "suture-library-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const open = (folder: string) => createFolderLibrary(() => folder);

describe("a folder of sources", () => {
  test("gives the passages that bear on a question, the best first, and of one source only some", async () => {
    const library = open(SOURCES_DIR);
    const { passages } = await library.search(
      { text: "How many homes does district heating supply?", passagesMax: 8 },
      NEVER,
    );
    expect(passages).toHaveLength(8);
    const sources = passages.map(({ source_id: id }) => id);
    expect(sources).toEqual(
      expect.arrayContaining(["heating-utility-brochure", "heating-tenants-association"]),
    );
    for (const id of sources) expect(sources.filter((one) => one === id).length).toBeLessThanOrEqual(3);
    expect(passages[0]).toMatchObject({ title: expect.stringContaining("istrict heating") as string });
  });

  test("holds back the one sample that gives orders to machines, and no other", async () => {
    const library = open(SOURCES_DIR);
    const titles = readdirSync(SOURCES_DIR).length;
    const { passages, held_back: held } = await library.search(
      { text: "Ostermoor Wend barrier town year euros people bicycles school", passagesMax: 10_000 },
      NEVER,
    );
    expect(held.map(({ source_id: id }) => id)).toEqual(["barrier-mirror-handbook"]);
    expect(held[0]?.reasons.length).toBeGreaterThan(0);
    expect(new Set(passages.map(({ source_id: id }) => id)).size).toBe(titles - 1);
  });

  test("finds what stands at the end of a paragraph of many pages", async () => {
    const library = open(
      folderOf({
        "long.txt": `Title: Herons\n\n${"They wait in the reeds. ".repeat(5000)}Kestrels nested in 1987.`,
      }),
    );
    const { passages } = await library.search({ text: "kestrels", passagesMax: 10 }, NEVER);
    expect(passages.map(({ text }) => text)).toEqual([expect.stringMatching(/Kestrels nested in 1987\.$/)]);
    expect(passages[0]?.text.length).toBeLessThanOrEqual(1500);
  });

  test("reads a source without a head, with other line ends and of one long line", async () => {
    const library = open(
      folderOf({
        "plain.txt": "Herons fish at dawn.",
        "dos.txt":
          "Title: Herons\r\nPublisher: Club\r\n\r\nHerons nest in trees.\r\n\r\nThey leave in October.",
        "long.txt": `Herons ${"wait and ".repeat(5000)}`,
        "notes.docx": "Herons are not read here.",
      }),
    );
    const { passages } = await library.search({ text: "herons", passagesMax: 10 }, NEVER);
    expect(passages.map(({ source_id: id, text }) => [id, text.length <= 1500])).toEqual(
      expect.arrayContaining([
        ["plain", true],
        ["dos", true],
        ["long", true],
      ]),
    );
    expect(passages.find(({ source_id: id }) => id === "dos")).toMatchObject({
      title: "Herons",
      publisher: "Club",
      published: "unknown",
    });
    expect(JSON.stringify(passages)).not.toContain("not read here");
  });

  test.each([
    ["is not there", () => join(tmpdir(), "suture-no-such-library")],
    [
      "has too many sources",
      () => folderOf(Object.fromEntries(Array.from({ length: 2001 }, (_, nth) => [`${nth}.txt`, "a"]))),
    ],
    ["has a source that is too large", () => folderOf({ "a.txt": "a".repeat(513 * 1024) })],
  ])("that %s is a failure that may pass", async (_what, folder) => {
    const found = open(folder()).search({ text: "a", passagesMax: 1 }, NEVER);
    await expect(found).rejects.toThrow(LibraryUnavailableError);
    await expect(found).rejects.toMatchObject({ failureClass: "transient" });
  });

  test("is read again after a failure", async () => {
    const places = [join(tmpdir(), "suture-no-such-library"), folderOf({ "a.txt": "Herons fish." })];
    const library = createFolderLibrary(() => places.shift() ?? "");
    const search = () => library.search({ text: "herons", passagesMax: 1 }, NEVER);
    await expect(search()).rejects.toThrow(LibraryUnavailableError);
    expect((await search()).passages).toHaveLength(1);
    expect((await search()).passages).toHaveLength(1);
  });

  test("finds nothing in nothing, and nothing of what is not there", async () => {
    const library = open(folderOf({ "a.txt": "" }));
    expect(await library.search({ text: "herons", passagesMax: 5 }, NEVER)).toEqual({
      passages: [],
      held_back: [],
    });
    expect(await library.search({ text: "", passagesMax: 5 }, NEVER)).toEqual({
      passages: [],
      held_back: [],
    });
  });
});

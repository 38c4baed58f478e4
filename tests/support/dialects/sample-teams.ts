import { readFileSync } from "node:fs";
import type { Team } from "#shared/runtime";
import editorialTeam from "../../../services/agents/editorial/team.ts";
import galleryTeam from "../../../services/agents/gallery/team.ts";
import { createCoderTeam } from "../../../services/agents/coder/team.ts";
import { openSetup } from "../../../services/agents/coder/testing/repair-in-memory.ts";
import { createDocumentsTeam } from "../../../services/agents/documents/team.ts";
import { openLibrary } from "../../../services/agents/documents/testing/open-library.ts";
import { createMedicalTeam } from "../../../services/agents/medical/team.ts";
import { samplePractice } from "../../../services/agents/medical/testing/sample-practice.ts";
import { createResearchTeam } from "../../../services/agents/research/team.ts";
import { sampleLibrary } from "../../../services/agents/research/testing/open-team.ts";
import { createSupportTeam } from "../../../services/agents/support/team.ts";
import { createOutside, sandboxAddresses } from "../../../services/agents/support/outside/ports.ts";
import { readEmailSamples } from "../../../services/agents/support/testing/read-samples.ts";

/** A team with one task that it completes, whatever it is asked by. */
export interface SampleTeam {
  readonly team: Team;
  readonly task: unknown;
  /** What its result holds. */
  readonly result: object;
}

function sampleOf(team: string, id: string): unknown {
  const file = new URL(`../../../services/agents/${team}/samples/tasks.jsonl`, import.meta.url);
  const samples = readFileSync(file, "utf8").trimEnd().split("\n");
  const found = samples.map((line) => JSON.parse(line)).find((one) => one.id === id);
  if (found === undefined) throw new Error(`team ${team} has no sample ${id}`);
  return found.input;
}

async function openDocuments(name: string, result: object): Promise<SampleTeam> {
  const library = openLibrary();
  const file = await library.store(name);
  return {
    team: createDocumentsTeam(library),
    task: { file_references: [file], question: null },
    result,
  };
}

async function openSupport(outside: string, task: unknown, decided: object = {}): Promise<SampleTeam> {
  const team = createSupportTeam(createOutside({ addresses: sandboxAddresses(() => outside) }));
  return { team, task, result: { status: "answered", decided } };
}

/** Opens a team with a sample of its own. @param outside - Where the sandbox of outside systems is. */
export const SAMPLE_TEAMS: Readonly<Record<string, (outside: string) => Promise<SampleTeam>>> = {
  support: (outside) => openSupport(outside, readEmailSamples()[0]?.email),
  // Its agent looks the order up with a tool.
  "support: delivery": (outside) =>
    openSupport(
      outside,
      {
        ...readEmailSamples()[0]?.email,
        subject: "Delivery",
        body: "When will order A-10246 be delivered?",
      },
      { category: "operations" },
    ),
  documents: () => openDocuments("quittung-cafe.txt", { kind: "invoice", status: "sound" }),
  "documents: photo": () => openDocuments("coast.jpg", { kind: "picture" }),
  research: async () => ({
    team: createResearchTeam({ library: sampleLibrary() }),
    task: sampleOf("research", "barrier-cost"),
    result: { kind: "lookup", status: "answered" },
  }),
  coder: async () => ({
    team: createCoderTeam(openSetup()),
    task: sampleOf("coder", "adder"),
    result: { status: "accepted" },
  }),
  medical: async (outside) => ({
    team: createMedicalTeam(samplePractice(outside)),
    task: sampleOf("medical", "migraine"),
    result: { status: "follow_up" },
  }),
  editorial: async () => ({
    team: editorialTeam,
    task: sampleOf("editorial", "heron"),
    result: { status: "edited" },
  }),
  gallery: async () => ({
    team: galleryTeam,
    task: sampleOf("gallery", "clamp"),
    result: { status: "explained" },
  }),
};

import { processBlobs } from "#shared/blobs";
import { outsideAddress, processConfig } from "#shared/config";
import { team } from "#shared/runtime";
import { createDutyDesk, createEmergency } from "./emergency/agent.ts";
import type { DutyDesk } from "./emergency/agent.ts";
import { createCompressor } from "./compressor/agent.ts";
import type { Transcripts } from "./compressor/agent.ts";
import { intake } from "./intake/agent.ts";
import { createSpecialist } from "./specialists/agent.ts";
import { specialtyRouter } from "./specialty/agent.ts";
import { MedicalResult } from "./contracts.ts";

/** Outside systems of the team. */
export interface Practice {
  readonly desk: DutyDesk;
  readonly transcripts: Transcripts;
}

/** The medical team. */
export function createMedicalTeam({ desk, transcripts }: Practice) {
  return team(
    "medical",
    [
      intake,
      specialtyRouter,
      createCompressor(transcripts),
      createSpecialist("cardiology"),
      createSpecialist("neurology"),
      createEmergency(desk),
    ],
    {
      description: "Takes in patients, refers them by a summary, and asks the specialist's follow-up.",
      result: MedicalResult,
      redacts: ["email", "phone", "iban", "card", "secret"],
      // An expired emergency waits for a person.
      onLimit: { expired: "quarantine" },
    },
  );
}

export default createMedicalTeam({
  desk: createDutyDesk(() => ({
    ...outsideAddress(processConfig(), "desk"),
    isRehearsal: processConfig().isRehearsal,
  })),
  transcripts: processBlobs,
});

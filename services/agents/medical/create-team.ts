import { team } from "#shared/runtime";
import { createCompressor } from "./compressor/agent.ts";
import type { Transcripts } from "./compressor/agent.ts";
import { createEmergency } from "./emergency/agent.ts";
import type { DutyDesk } from "./emergency/duty-desk.ts";
import { intake } from "./intake/agent.ts";
import { createSpecialist } from "./specialists/create-specialist.ts";
import { specialtyRouter } from "./specialty/agent.ts";
import { MedicalResult } from "./result.ts";

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
      cannotTell: { "/status": ["for_a_person"] },
      redacts: ["email", "phone", "iban", "card", "secret"],
      // An expired emergency waits for a person.
      onLimit: { expired: "quarantine" },
    },
  );
}

import { team } from "#shared/runtime";
import { compressor } from "./compressor/agent.ts";
import { createEmergency } from "./emergency/agent.ts";
import type { DutyDesk } from "./emergency/duty-desk.ts";
import { intake } from "./intake/agent.ts";
import { createSpecialist } from "./specialists/create-specialist.ts";
import { specialtyRouter } from "./specialty/agent.ts";

/** The medical team. */
export function createMedicalTeam(desk: DutyDesk) {
  return team(
    "medical",
    [
      intake,
      specialtyRouter,
      compressor,
      createSpecialist("cardiology"),
      createSpecialist("neurology"),
      createEmergency(desk),
    ],
    {
      description: "Takes in patients, refers them by a summary, and asks the specialist's follow-up.",
      redacts: ["email", "phone", "iban", "card", "secret"],
      // An expired emergency waits for a person.
      onLimit: { expired: "quarantine" },
    },
  );
}

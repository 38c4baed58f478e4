import { z } from "zod";
import { VIEWERS } from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const secret = z.string().min(1).max(1024);

const sessionSchema = z.object({
  name: z.string(),
  role: z.enum(["viewer", "operator", "admin"]),
  is_rehearsal: z.boolean().meta({ description: "The bundled stand-in answers for the models." }),
});

export const SESSION = {
  logIn: {
    ...post("/v1/session", null),
    summary: "Open a session for a login link's token, or for an API key",
    body: z.union([z.strictObject({ token: secret }), z.strictObject({ api_key: secret })]),
    answers: { 200: sessionSchema },
    problems: ["login_refused"],
  },
  showSession: {
    ...get("/v1/session", VIEWERS),
    summary: "Say who is asking, and what they may do",
    answers: { 200: sessionSchema },
  },
  logOut: {
    method: "DELETE",
    path: "/v1/session",
    summary: "End the session it comes with",
    scopes: VIEWERS,
    answers: { 204: null },
  },
} as const satisfies DeclaredApi;

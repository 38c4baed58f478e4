import { join } from "node:path";
import fastify, { LogController } from "fastify";
import type { FastifyInstance } from "fastify";
import { SURGEON_ID } from "#shared/envelope";
import { tellTakenPort } from "#shared/http";
import { PROBE } from "#shared/model";
import { answerCompletion, createAttemptCounter, sendOpenAiError } from "./answer-completion.ts";
import type { FindStandIn } from "./answer-completion.ts";
import { openEffects } from "./sandbox/effects.ts";
import { addSandboxRoutes } from "./sandbox/routes.ts";
import { SurgeonStandIn } from "./surgeon.ts";

/** Maximum size of a completion request, several times that of a message with its schema. */
const BODY_BYTES_MAX = 16_777_216;
const MODELS = ["rehearsal-router", "rehearsal-worker", "rehearsal-surgeon"];

export interface RehearsalOptions {
  /** Default: loopback. */
  readonly host?: string;
  /** Port; 0 takes a free one. */
  readonly port: number;
  /** Folder of the sandbox's journal, `sandbox.jsonl`. Created when missing. */
  readonly dataDir: string;
  readonly findStandIn: FindStandIn;
  /** Share of completions with a fault, 0 to 1. Default 0.15. */
  readonly faultRate?: number;
  /** Default 1. */
  readonly seed?: number;
  /** Longest hang before the connection is dropped, in ms. Default 30,000. */
  readonly hangMsMax?: number;
  /** Log level. Default `silent`. Bodies and headers are never logged. */
  readonly logLevel?: string;
}

/** A running rehearsal server. */
export interface Rehearsal {
  /** E.g. `http://127.0.0.1:49152`; the models are under `/v1`, the external systems under `/sandbox`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the OpenAI-compatible stand-in endpoint and the sandbox. @throws {JournalDamagedError} Unreadable journal. */
export async function startRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const effects = openEffects(join(options.dataDir, "sandbox.jsonl"));
  const server = fastify({
    bodyLimit: BODY_BYTES_MAX,
    logger: options.logLevel === undefined ? false : { level: options.logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    // Hanging requests must not delay the stop.
    forceCloseConnections: true,
  });
  addModelRoutes(server, options);
  addSandboxRoutes(server, effects);
  server.get("/healthz", (_, reply) => reply.send({ status: "ok", rehearsal: true }));
  const { host = "127.0.0.1", port } = options;
  const taken = { service: "rehearsal", port, variable: "SUTURE_REHEARSAL_PORT" };
  const url = await server.listen({ host, port }).catch(tellTakenPort(taken));
  return { url, close: () => server.close() };
}

function addModelRoutes(server: FastifyInstance, options: RehearsalOptions): void {
  const surgeon = new SurgeonStandIn();
  const findStandIn: FindStandIn = (agent, step) => {
    if (agent === SURGEON_ID) return surgeon.steps[step];
    // `suture doctor --model`.
    if (agent !== PROBE.agent || step !== PROBE.step) return options.findStandIn(agent, step);
    return ({ word }: { readonly word: string }) => ({ verdict_word: word, letter_count: word.length });
  };
  const completion = {
    findStandIn,
    remember: surgeon.remember.bind(surgeon),
    countAttempt: createAttemptCounter(),
    faultRate: options.faultRate ?? 0.15,
    seed: options.seed ?? 1,
    hangMsMax: options.hangMsMax ?? 30_000,
  };
  server.post("/v1/chat/completions", {
    errorHandler: (error: { name?: string; statusCode?: number }, request, reply): void => {
      const status = error.statusCode ?? 500;
      // Logs the error's name only, because its message may quote the input.
      request.log.error({ errorName: error.name, status }, "the question could not be answered");
      const code = status < 500 ? "invalid_request_error" : "server_error";
      void sendOpenAiError(reply, status, [code, "The request could not be answered."]);
    },
    handler: (request, reply) => answerCompletion(request, reply, completion),
  });
  server.get("/v1/models", (_, reply) => {
    const data = MODELS.map((id) => ({ id, object: "model", created: 0, owned_by: "rehearsal" }));
    return reply.send({ object: "list", data });
  });
}

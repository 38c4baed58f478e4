import { SutureError } from "#shared/errors";
import { UntrustedMessageError } from "#shared/envelope/seals";

/** Bytes that are no carried message, or a message that cannot be written as one. Nothing of it is used. */
export class WireMalformedError extends SutureError {
  constructor(problem: string) {
    super({
      code: "WIRE_MALFORMED",
      failureClass: "parse_error",
      severity: "fatal",
      message: `The bytes are no carried message: ${problem}.`,
      remedy:
        "Run the same release of Suture on both sides of the bridge; see shared/wire/carried-message.proto.",
    });
  }
}

/** A routing field beside the seal says something else than the envelope under it. */
export class RoutingMismatchError extends UntrustedMessageError {
  constructor(field: string) {
    super(
      "WIRE_ROUTING_MISMATCH",
      `The routing field ${field} differs from the sealed envelope.`,
      "Find out who changed the message between the clusters; nothing of it was used.",
      [{ path: `/${field}`, code: "routing_mismatch", message: "differs from the sealed envelope" }],
    );
  }
}

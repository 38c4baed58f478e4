import { SutureError } from "#shared/errors";
import { UntrustedMessageError } from "#shared/envelope/seals";
import { RequestRefusedError } from "#shared/http";

/**
 * The peer's bridge did not answer in time, or its reply was not authentic. The request may have been carried out.
 */
export class PeerUnreachableError extends SutureError {
  constructor(cluster: string, problem: string, cause?: unknown) {
    super({
      code: "BRIDGE_PEER_UNREACHABLE",
      failureClass: "transient",
      message: `The bridge of cluster ${cluster} cannot be used: ${problem}.`,
      remedy:
        "Check the network and the other cluster's bridge. Messages wait here and are sent when it is back.",
      cause,
    });
  }
}

/** The peer's bridge refused the message. Transient: it is retried until the message expires. */
export class PeerRefusedError extends SutureError {
  constructor(cluster: string, code: string) {
    super({
      code: "BRIDGE_PEER_REFUSED",
      failureClass: "transient",
      message: `The bridge of cluster ${cluster} refused the message: ${code}.`,
      remedy:
        "Look up the code in docs/reference/errors.md. Usually keys or the table of agents differ between the clusters.",
    });
  }
}

/** The message was first sent before the peer's memory begins, so the peer cannot tell whether it took it. */
export class CrossingUncertainError extends SutureError {
  constructor(cluster: string) {
    super({
      code: "BRIDGE_CROSSING_UNCERTAIN",
      failureClass: "crash_loop",
      severity: "fatal",
      message: `Cluster ${cluster} no longer remembers whether it took this message.`,
      remedy: "Look up the run in both clusters. Release the message only if the other one never handled it.",
    });
  }
}

/** The peer took other bytes under this message id. */
export class CrossingForeignError extends UntrustedMessageError {
  constructor(cluster: string) {
    super("BRIDGE_CROSSING_FOREIGN", `Cluster ${cluster} already took other bytes under this message id.`);
  }
}

/** The request has no valid signature of a known peer, is too old, or was received before. */
export class UnauthenticatedError extends RequestRefusedError {
  constructor() {
    super({
      code: "BRIDGE_UNAUTHENTICATED",
      status: 401,
      message: "The request has no valid signature of a known cluster.",
      remedy: "Compare names, secrets and clocks of both bridges. SUTURE_BRIDGE_PEERS of both must agree.",
    });
  }
}

export class CrossingTooLargeError extends RequestRefusedError {
  constructor(bytesMax: number) {
    super({
      code: "BRIDGE_BODY_TOO_LARGE",
      status: 413,
      message: `The body is of unknown length or has more than ${bytesMax} bytes.`,
      remedy: "Run the same release of Suture on both sides of the bridge.",
    });
  }
}

export class UnknownOperationError extends RequestRefusedError {
  constructor() {
    super({
      code: "BRIDGE_OPERATION_UNKNOWN",
      status: 404,
      message: "A bridge has no such operation.",
      remedy: "Run the same release of Suture on both sides of the bridge.",
    });
  }
}

/**
 * The receiver does not live in this cluster, the sender not in the peer's, or the run's home is an unknown cluster.
 */
export class CrossingMisdirectedError extends RequestRefusedError {
  constructor(problem: string) {
    super({
      code: "BRIDGE_MISDIRECTED",
      status: 422,
      message: `The message does not belong in this cluster: ${problem}.`,
      remedy:
        "Compare SUTURE_BRIDGE_PEERS of both clusters: both must assign each agent to the same cluster.",
    });
  }
}

/** Backpressure: this cluster's Redis, ward or unsent news are at their limit. */
export class ClusterFullError extends RequestRefusedError {
  constructor(what: string) {
    super({
      code: "BRIDGE_CLUSTER_FULL",
      status: 503,
      message: `This cluster accepts no messages now: ${what}.`,
      remedy:
        "Nothing is lost: the sender retries. Make room, or check the link to the cluster that keeps the runs.",
    });
  }
}

/** This cluster took other bytes under this message id. */
export class TakenForeignError extends RequestRefusedError {
  constructor() {
    super({
      code: "BRIDGE_TAKEN_FOREIGN",
      status: 409,
      message: "A message with this id and other bytes was already taken.",
      remedy: "Find the origin of the second one. Its sender's cluster quarantines it, unread.",
    });
  }
}

/** The message was first sent before this cluster's memory begins, so it cannot tell whether it took it. */
export class TakenUncertainError extends RequestRefusedError {
  constructor() {
    super({
      code: "BRIDGE_TAKEN_UNCERTAIN",
      status: 409,
      message: "The message was first sent before this cluster's memory begins: it may have been taken.",
      remedy:
        "A person decides in the sender's cluster. SUTURE_BRIDGE_MEMORY_HOURS sets the length of the memory.",
    });
  }
}

/** The body of a news request has not the form that this release reads. None of it was applied. */
export class NewsMalformedError extends RequestRefusedError {
  constructor() {
    super({
      code: "BRIDGE_NEWS_MALFORMED",
      status: 422,
      message: "The peer's report of runs is not in a form that this release reads.",
      remedy: "Run the same release of Suture on both sides of the bridge, the home of the runs first.",
    });
  }
}

/** A bridge was asked for a model's answer. It has no agents of its own, so this is a programming error. */
export class NoModelError extends SutureError {
  constructor() {
    super({
      code: "BRIDGE_HAS_NO_MODEL",
      failureClass: "handler_error",
      severity: "fatal",
      message: "A bridge was asked for a model's answer.",
      remedy: "Report this as a bug in Suture: a bridge calls no model.",
    });
  }
}

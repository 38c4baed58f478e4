import { SutureError } from "#shared/errors";
import { UntrustedMessageError } from "#shared/envelope/seals";
import { RequestRefusedError } from "#shared/http";

/** The other cluster's bridge does not answer, or not in time, or not as itself. What was asked may have been done. */
export class PeerUnreachableError extends SutureError {
  constructor(cluster: string, problem: string, cause?: unknown) {
    super({
      code: "BRIDGE_PEER_UNREACHABLE",
      failureClass: "transient",
      message: `The bridge of cluster ${cluster} cannot be used: ${problem}.`,
      remedy:
        "Look at the link and at the bridge over there; messages wait here and are sent when it is back.",
      cause,
    });
  }
}

/** The other cluster's bridge says that it does not take this message. It is asked again until the message expires. */
export class PeerRefusedError extends SutureError {
  constructor(cluster: string, code: string) {
    super({
      code: "BRIDGE_PEER_REFUSED",
      failureClass: "transient",
      message: `The bridge of cluster ${cluster} does not take the message: ${code}.`,
      remedy:
        "Look the code up in docs/reference/errors.md: most often keys or the table of agents differ between the clusters.",
    });
  }
}

/** The message was first sent so long ago that the other cluster cannot tell whether it took it. A person decides. */
export class CrossingUncertainError extends SutureError {
  constructor(cluster: string) {
    super({
      code: "BRIDGE_CROSSING_UNCERTAIN",
      failureClass: "crash_loop",
      severity: "fatal",
      message: `Cluster ${cluster} cannot tell any more whether it took this message.`,
      remedy: "Look the run up in both clusters; release the message only if the other one never handled it.",
    });
  }
}

/** The other cluster took another message under this id. */
export class CrossingForeignError extends UntrustedMessageError {
  constructor(cluster: string) {
    super("BRIDGE_CROSSING_FOREIGN", `Cluster ${cluster} took other bytes under this message's id before.`);
  }
}

/** The request bears no valid signature of a known peer, is too old, or was seen before. */
export class UnauthenticatedError extends RequestRefusedError {
  constructor() {
    super({
      code: "BRIDGE_UNAUTHENTICATED",
      status: 401,
      message: "The request bears no valid signature of a known cluster.",
      remedy:
        "Compare names, secrets and clocks of both bridges; SUTURE_BRIDGE_PEERS of both must fit together.",
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

/** The receiver does not live here, the sender not there, or the run's home is no cluster we know. */
export class CrossingMisdirectedError extends RequestRefusedError {
  constructor(problem: string) {
    super({
      code: "BRIDGE_MISDIRECTED",
      status: 422,
      message: `The message has no business here: ${problem}.`,
      remedy: "Compare SUTURE_BRIDGE_PEERS of both clusters: who lives where must be the same in both.",
    });
  }
}

/** This cluster's Redis, ward or news for the run's home are at their bound. */
export class ClusterFullError extends RequestRefusedError {
  constructor(what: string) {
    super({
      code: "BRIDGE_CLUSTER_FULL",
      status: 503,
      message: `This cluster takes no further message now: ${what}.`,
      remedy:
        "Nothing is lost: the sender asks again. Look at what is full, or at the link to the runs' home.",
    });
  }
}

/** A message of this id and other bytes was taken before. */
export class TakenForeignError extends RequestRefusedError {
  constructor() {
    super({
      code: "BRIDGE_TAKEN_FOREIGN",
      status: 409,
      message: "A message with this id and other bytes was taken before.",
      remedy: "Find out who made the second one; its sender's cluster quarantines it, unread.",
    });
  }
}

/** It was first sent before our memory begins: whether it was taken then, nobody knows. */
export class TakenUncertainError extends RequestRefusedError {
  constructor() {
    super({
      code: "BRIDGE_TAKEN_UNCERTAIN",
      status: 409,
      message: "The message was first sent so long ago that nobody here knows whether it was taken.",
      remedy:
        "A person decides in the sender's cluster; SUTURE_BRIDGE_MEMORY_HOURS says how long is remembered.",
    });
  }
}

/** What a peer tells of runs has not the form that this release reads. None of it was applied. */
export class NewsMalformedError extends RequestRefusedError {
  constructor() {
    super({
      code: "BRIDGE_NEWS_MALFORMED",
      status: 422,
      message: "What a cluster tells of runs is not in a form that this release reads.",
      remedy: "Run the same release of Suture on both sides of the bridge, the home of the runs first.",
    });
  }
}

/** A bridge was asked for a model's answer: a programming error, it has no agents of its own. */
export class NoModelError extends SutureError {
  constructor() {
    super({
      code: "BRIDGE_HAS_NO_MODEL",
      failureClass: "handler_error",
      severity: "fatal",
      message: "A bridge was asked for a model's answer.",
      remedy: "Report this: a bridge only carries.",
    });
  }
}

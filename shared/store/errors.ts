import { SutureError } from "#shared/errors";

/** Redis did not answer, or not in time. What was asked may or may not have been done: repeat with the same ids. */
export class StoreUnavailableError extends SutureError {
  constructor(doing: string, cause?: unknown) {
    super({
      code: "STORE_UNAVAILABLE",
      failureClass: "transient",
      message: `Redis could not be reached while ${doing}.`,
      remedy: "Repeat with the same key once Redis is back; nothing that was acknowledged is lost.",
      cause,
    });
  }
}

/** This Redis would lose or evict what must be kept. Start-up stops. */
export class StoreUnfitError extends SutureError {
  constructor(problem: string, remedy: string) {
    super({
      code: "STORE_UNFIT",
      failureClass: "handler_error",
      severity: "fatal",
      message: `This Redis cannot be used: ${problem}.`,
      remedy,
    });
  }
}

/**
 * Too few replicas said in time that they have a write. It is neither done nor undone: it stands, unless the master is
 * lost before its replicas have it.
 */
export class NotReplicatedError extends SutureError {
  constructor(replicas: { readonly have: number; readonly needed: number }) {
    super({
      code: "NOT_REPLICATED",
      failureClass: "transient",
      message: `A write is on ${replicas.have} replicas, not on the ${replicas.needed} that are needed.`,
      remedy:
        "Look at the replicas of Redis (INFO replication). Nothing is told onward until enough of them have the write.",
    });
  }
}

/** The worker lost the job's lock: another one has taken over. Its work counts, this one's does not. */
export class LockLostError extends SutureError {
  constructor(messageId: string) {
    super({
      code: "LOCK_LOST",
      failureClass: "transient",
      message: `This worker no longer holds message ${messageId}; another one has taken over.`,
      remedy: "Nothing: the refused write is the protection. If it happens often, raise SUTURE_LOCK_MS.",
    });
  }
}

/** A consumer fetches nothing though work waits, and starting it anew did not help. The process ends. */
export class ConsumerSilentError extends SutureError {
  constructor(queue: string, restarts: number) {
    super({
      code: "CONSUMER_SILENT",
      failureClass: "handler_error",
      severity: "fatal",
      message: `Work waits in ${queue} and nothing was fetched, even after ${restarts} restarts of the consumer.`,
      remedy: "The supervisor should start the process anew; if it recurs, look at the network to Redis.",
    });
  }
}

/** Nothing of that name is kept here, or not any more. */
export class NotFoundError extends SutureError {
  constructor(what: string, id: string) {
    super({
      code: "NOT_FOUND",
      failureClass: "validation_error",
      message: `There is no ${what} ${id.slice(0, 200)}, or its retention time is over.`,
      remedy: "Check the id, or list what there is.",
    });
  }
}

/** What another cluster told of a run has not the form that this release reads. None of it is applied. */
export class ReturnMalformedError extends SutureError {
  constructor() {
    super({
      code: "STORE_RETURN_MALFORMED",
      failureClass: "parse_error",
      severity: "fatal",
      message: "What another cluster told of a run is not in a form that this release reads.",
      remedy: "Run the same release of Suture on both sides of the bridge, the home of the runs first.",
    });
  }
}

/** An entry of an outbox cannot be read. What it should have sent is not sent; the other entries are. */
export class OutboxEntryUnreadableError extends SutureError {
  constructor(slot: string, entryId: string) {
    super({
      code: "STORE_OUTBOX_UNREADABLE",
      failureClass: "parse_error",
      severity: "fatal",
      message: `Entry ${entryId.slice(0, 100)} of the outbox of ${slot} cannot be read.`,
      remedy: "Find out who changed it; its run waits for what the entry held, and can be cancelled.",
    });
  }
}

/** A process that knows no ward was to deliver a dead message. The entry stays in the outbox. */
export class WardMissingError extends SutureError {
  constructor(entryId: string) {
    super({
      code: "STORE_WARD_MISSING",
      failureClass: "handler_error",
      severity: "warning",
      message: `Entry ${entryId.slice(0, 100)} holds a dead message, and this process cannot admit any.`,
      remedy: "Nothing is lost: the process of its agent, or a relay, delivers it.",
    });
  }
}

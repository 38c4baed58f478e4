import { createHmac, randomBytes } from "node:crypto";
import type { JobCase } from "#shared/bullmq-ward";
import { AbsentError } from "../errors.ts";
import { AttachedLink } from "./attached-link.ts";
import type { AttachedTarget } from "./attached-link.ts";
import { GroupWork } from "./group-work.ts";
import { Survey } from "./survey.ts";

/** One attached queue. */
export interface AttachedQueueParts {
  readonly name: string;
  readonly hasContract: boolean;
  readonly link: AttachedLink;
  readonly survey: Survey;
  readonly work: GroupWork;
}

/** The attached queues of a console. None of them is connected before somebody looks. */
export class AttachedQueues {
  private readonly queues: readonly AttachedQueueParts[];
  private readonly versionKey = randomBytes(32);

  constructor(targets: readonly AttachedTarget[]) {
    this.queues = targets.map((target) => {
      const link = new AttachedLink(target);
      const hasContract = target.contract !== null;
      return { name: target.name, hasContract, link, survey: new Survey(link), work: new GroupWork(link) };
    });
  }

  list(): readonly AttachedQueueParts[] {
    return this.queues;
  }

  /** @throws {AbsentError} No queue of this name is attached. */
  of(name: string): AttachedQueueParts {
    const found = this.queues.find((queue) => queue.name === name);
    if (found === undefined) throw new AbsentError("attached queue");
    return found;
  }

  /**
   * Returns the version of a case's data as people get it. It is keyed, because short values could be found from a
   * plain digest; another process, or this one after a restart, gives another one.
   */
  versionOf({ queue, id, version }: JobCase): string {
    return createHmac("sha256", this.versionKey)
      .update(JSON.stringify([queue, id, version]))
      .digest("base64url");
  }

  close(): void {
    for (const { link } of this.queues) link.close();
  }
}

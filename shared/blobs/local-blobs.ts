import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { pipeline, Readable, Transform } from "node:stream";
import type { TransformCallback } from "node:stream";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { z } from "zod";
import { now, uuidv7 } from "#shared/clock";
import { processConfig, TENANT_DEFAULT } from "#shared/config";
import { readJson } from "#shared/json";
import { BlobDamagedError, BodyTooLargeError } from "./errors.ts";
import { HeldBytes } from "./held-bytes.ts";
import { retireBlobs } from "./retire-blobs.ts";
import { settleType, SNIFFED_BYTES } from "./sniff-type.ts";

const ID = /^[0-9a-f]{64}$/;

/** Content up to this size is verified before it is returned; larger content while it is read. */
const CHECKED_BEFORE_BYTES = 1024 * 1024;
/** Subfolder with one folder for each tenant but the default one. */
const TENANTS = "tenants";
/** Subfolder of each tenant for content that is not complete. */
const INCOMING = "incoming";

const factsSchema = z.object({
  /** SHA-256 of the content: the blob's id. */
  sha256: z.string().regex(ID),
  bytes: z.int().min(0),
  /** Detected from the bytes, else as its first sender declared. */
  mime_type: z.string(),
});
type BlobFacts = Readonly<z.output<typeof factsSchema>>;

interface BlobToStore {
  readonly content: Readable;
  readonly mimeType: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

interface Keeping {
  /** Bytes of all blobs; what would pass it is refused. */
  readonly bytesMax: number;
  /** Share of one tenant of the bytes that the other tenants leave. Above 0, at most 1. Default: 1. */
  readonly tenantShare?: () => number;
  /** Life of a blob from when it was last stored, in ms. */
  readonly ageMsMax: number;
}

/**
 * Content-addressed blobs in a folder: `<first two digits>/<hash>` beside `<hash>.json`. Renames a synchronised
 * temporary file, so that a crash leaves no partial blob; storing again replaces a damaged copy.
 */
export class LocalBlobs {
  private readonly folder: string;
  private readonly tenant: string;
  private readonly keeping: Keeping;
  /** Bytes of all tenants. */
  private readonly bytes: {
    /** Bytes that are kept: those of the last round, and those stored since. */
    readonly kept: HeldBytes;
    /** Bytes that are coming in, and may turn out to be kept already. */
    readonly incoming: HeldBytes;
    isCounted: boolean;
  };
  /** The store of all tenants. */
  private readonly whole: LocalBlobs;

  /** @param part - The tenant that this part is of, and the whole. Default: the whole, for the default tenant. */
  constructor(
    folder: string,
    keeping: Keeping,
    part?: { readonly tenant: string; readonly whole: LocalBlobs },
  ) {
    this.folder = folder;
    this.tenant = part?.tenant ?? TENANT_DEFAULT;
    this.keeping = keeping;
    this.whole = part?.whole.whole ?? this;
    const { bytesMax, tenantShare = (): number => 1 } = keeping;
    this.bytes = part?.whole.bytes ?? {
      kept: new HeldBytes(bytesMax, tenantShare),
      incoming: new HeldBytes(bytesMax, tenantShare),
      isCounted: false,
    };
  }

  /** The store of one tenant. A digest finds only that tenant's blobs, so that knowing a digest gives no access. */
  of(tenant: string): LocalBlobs {
    if (tenant === TENANT_DEFAULT) return this;
    const folder = join(this.folder, TENANTS, encodeURIComponent(tenant));
    return new LocalBlobs(folder, this.keeping, { tenant, whole: this });
  }

  /**
   * @throws {BodyTooLargeError} More than `bytesMax`. {BlobsFullError} There is no room. {BlobTypeRefusedError} A
   * program. {BlobTypeMismatchError} The bytes are of another type than is said. Nothing is kept of it then.
   */
  async store({ content, mimeType, bytesMax, signal }: BlobToStore): Promise<BlobFacts> {
    if (!this.bytes.isCounted) await this.retire();
    const incoming = join(this.folder, INCOMING);
    await mkdir(incoming, { recursive: true, mode: 0o700 });
    const temporary = join(incoming, uuidv7());
    let counted = 0;
    const count = (bytes: number): void => {
      this.bytes.incoming.add(this.tenant, bytes);
      counted += bytes;
    };
    try {
      const { sha256, bytes, head } = await writeWhole(temporary, { content, bytesMax, signal, count });
      const facts = { sha256, bytes, mime_type: settleType(mimeType, head) };
      const known = await this.renew(facts);
      if (known !== null) return known;
      this.bytes.kept.add(this.tenant, bytes);
      await this.keep(temporary, facts);
      return facts;
    } finally {
      await rm(temporary, { force: true });
      this.bytes.incoming.remove(this.tenant, counted);
    }
  }

  /** Deletes expired blobs of all tenants. */
  async retire(): Promise<void> {
    const { folder, keeping, bytes } = this.whole;
    bytes.kept.reset(await retireBlobs(folder, now() - keeping.ageMsMax, tenantOf));
    bytes.isCounted = true;
  }

  /**
   * The whole content. @param id - 64 hex digits. @returns null where nothing is kept under it.
   * @throws {BodyTooLargeError} More than `bytesMax`. {BlobDamagedError} The bytes are not those of the id.
   */
  async read(id: string, bytesMax: number): Promise<Buffer | null> {
    const found = await this.find(id);
    if (found === null) return null;
    if (found.facts.bytes <= bytesMax) return buffer(found.content);
    found.content.destroy();
    throw new BodyTooLargeError(bytesMax);
  }

  /**
   * The content as a stream, hashed while it is read: fails before its last bytes where they are not those of the id.
   * @param id - 64 hex digits. @returns null where nothing is kept. @throws {BlobDamagedError} Known before reading.
   */
  async find(id: string): Promise<{ facts: BlobFacts; content: Readable } | null> {
    const facts = await this.findFacts(id);
    if (facts === null) return null;
    const file = await open(this.pathOf(id), "r").catch(nullWhereAbsent);
    if (file === null) return null;
    // A wrong length would pass a part of the content as the whole.
    if ((await file.stat()).size !== facts.bytes) {
      await file.close();
      throw new BlobDamagedError(id);
    }
    const content = verifyContent(file.createReadStream(), id);
    if (facts.bytes > CHECKED_BEFORE_BYTES) return { facts, content };
    return { facts, content: Readable.from([await buffer(content)]) };
  }

  /** Starts the life of a blob anew that is kept soundly. @returns null where none is. */
  private async renew({ sha256, bytes }: BlobFacts): Promise<BlobFacts | null> {
    try {
      const known = await this.find(sha256);
      if (known?.facts.bytes !== bytes) return null;
      // Read whole: who stores it again is the one who can mend it.
      await finished(known.content.resume());
      const path = this.pathOf(sha256);
      const at = new Date(now());
      await Promise.all([utimes(path, at, at), utimes(`${path}.json`, at, at)]);
      return known.facts;
    } catch (error) {
      if (error instanceof BlobDamagedError) return null;
      throw error;
    }
  }

  /** Writes the metadata before the content, so that content never lacks it. */
  private async keep(temporary: string, facts: BlobFacts): Promise<void> {
    const path = this.pathOf(facts.sha256);
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    const factsFile = `${temporary}.json`;
    await writeFile(factsFile, JSON.stringify(facts), { flush: true, mode: 0o600 });
    await rename(factsFile, `${path}.json`);
    await rename(temporary, path);
  }

  private async findFacts(id: string): Promise<BlobFacts | null> {
    if (!ID.test(id)) return null;
    const text = await readFile(`${this.pathOf(id)}.json`, "utf8").catch(nullWhereAbsent);
    if (text === null) return null;
    const { data: facts } = factsSchema.safeParse(readJson(text));
    if (facts?.sha256 !== id) throw new BlobDamagedError(id);
    return facts;
  }

  private pathOf(id: string): string {
    return join(this.folder, id.slice(0, 2), id);
  }
}

let blobs: LocalBlobs | undefined;

/** Opens the blobs of this process at their first use, so that loading a team needs no configuration. */
export function processBlobs(): LocalBlobs {
  const { dataDir, blobsBytesMax: bytesMax, blobHours } = processConfig();
  return (blobs ??= new LocalBlobs(join(dataDir, "blobs"), { bytesMax, ageMsMax: blobHours * 3_600_000 }));
}

/** Returns the tenant whose part of the folder a path is in; null for content that is not complete. */
function tenantOf(path: string): string | null {
  const [first, tenant] = path.split(sep);
  if (path.endsWith(INCOMING)) return null;
  return first === TENANTS && tenant !== undefined ? decodeURIComponent(tenant) : TENANT_DEFAULT;
}

/** @param blob.count - Called with each part's bytes before it is written; may throw. */
async function writeWhole(
  path: string,
  {
    content,
    bytesMax,
    signal,
    count,
  }: Pick<BlobToStore, "content" | "bytesMax" | "signal"> & { readonly count: (bytes: number) => void },
): Promise<{ sha256: string; bytes: number; head: Buffer }> {
  const hash = createHash("sha256");
  let bytes = 0;
  let head = Buffer.alloc(0);
  const file = await open(path, "wx", 0o600);
  try {
    // Not destroyed when it is too long: the refusal must still reach the client.
    for await (const chunk of content.iterator({ destroyOnReturn: false })) {
      signal.throwIfAborted();
      // An HTTP body without an encoding gives buffers.
      const part = chunk as Buffer;
      bytes += part.length;
      if (bytes > bytesMax) throw new BodyTooLargeError(bytesMax);
      count(part.length);
      if (head.length < SNIFFED_BYTES) head = Buffer.concat([head, part.subarray(0, SNIFFED_BYTES)]);
      hash.update(part);
      await file.appendFile(part);
    }
    signal.throwIfAborted();
    await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: hash.digest("hex"), bytes, head };
}

/** Returns a content's bytes; ends with BlobDamagedError if changed. @param sha256 - 64 hex digits. */
function verifyContent(content: Readable, sha256: string): Readable {
  const hash = createHash("sha256");
  let held: Buffer | null = null;
  const verified = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      const before = held;
      held = chunk;
      hash.update(chunk);
      done(null, before);
    },
    flush(done: TransformCallback) {
      if (hash.digest("hex") === sha256) done(null, held);
      else done(new BlobDamagedError(sha256));
    },
  });
  // Either end's failure destroys the other; the reader hears of it from the stream itself.
  pipeline(content, verified, () => undefined);
  return verified;
}

/** Returns null for a file that is not there, by the system's own code. @throws any other error. */
function nullWhereAbsent(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}

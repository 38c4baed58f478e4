import { defineError, SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";

const IN_QUARANTINE = "The message waits in quarantine, unread; find out who put it into the queue.";

/** The message cannot be trusted. Quarantined unread, never repaired, never handled. */
export class UntrustedMessageError extends SutureError {
  constructor(code: string, message: string, remedy: string = IN_QUARANTINE, issues: readonly Issue[] = []) {
    super({ code, failureClass: "untrusted", severity: "fatal", message, remedy, issues });
  }
}

/** The stored job is not a sealed message: part of the seal is missing, of a wrong type, oversized or badly encoded. */
export class SealMalformedError extends UntrustedMessageError {
  constructor(problem: string) {
    super("ENVELOPE_SEAL_MALFORMED", `The stored job is not a sealed message: ${problem}.`);
  }
}

/** The seal names a key that this process does not have. */
export class UnknownKeyError extends UntrustedMessageError {
  constructor() {
    // The key name is unverified, and therefore not repeated.
    super(
      "ENVELOPE_KEY_UNKNOWN",
      "The seal names a key that is not in this process's keyring.",
      "If its generation of keys was retired, run its task again; if this process has an older key file than its " +
        "sender, issue the file anew; else find the sender.",
    );
  }
}

/** The bytes, the queue or the job id differ from what was sealed. Neither retries nor repairs can help. */
export class SignatureMismatchError extends UntrustedMessageError {
  constructor(keyId: string) {
    super("ENVELOPE_SIGNATURE_MISMATCH", `The message does not match its seal under key ${keyId}.`);
  }
}

/** The seal's key belongs to another edge than the envelope claims. */
export class EdgeMismatchError extends UntrustedMessageError {
  constructor(keyId: string, path: string) {
    super(
      "ENVELOPE_EDGE_MISMATCH",
      `Key ${keyId} does not belong to the edge that the envelope names in ${path}.`,
      IN_QUARANTINE,
      [{ path, code: "edge_mismatch", message: "not the agent this key was issued for" }],
    );
  }
}

/** The job id differs from the sealed message id. */
export class MessageIdMismatchError extends UntrustedMessageError {
  constructor() {
    super("ENVELOPE_ID_MISMATCH", "The job id differs from the sealed message id.", IN_QUARANTINE, [
      { path: "/meta/message_id", code: "id_mismatch", message: "differs from the job id" },
    ]);
  }
}

/** `hop_count`, `source_agent` or the trace contradicts the path or the traceparent. */
export class PathMismatchError extends UntrustedMessageError {
  constructor(path: string, problem: string) {
    super(
      "ENVELOPE_PATH_MISMATCH",
      `The envelope contradicts itself at ${path}: ${problem}.`,
      IN_QUARANTINE,
      [{ path, code: "path_mismatch", message: problem }],
    );
  }
}

/** The message claims to be from the future: its sender's clock is wrong, or it tries to extend its life. */
export class FutureTimestampError extends UntrustedMessageError {
  constructor(timestamp: string) {
    super(
      "ENVELOPE_FROM_THE_FUTURE",
      `The message claims to be created at ${timestamp}, more than a minute from now.`,
      "Synchronise its sender's clock (NTP). The message is quarantined; release it if its sender is trusted.",
      [{ path: "/meta/timestamp", code: "in_the_future", message: "more than a minute from now" }],
    );
  }
}

/** The text is not JSON. */
export class JsonSyntaxError extends defineError((cause?: unknown) => ({
  code: "ENVELOPE_JSON_SYNTAX",
  failureClass: "parse_error",
  message: "The text is not JSON.",
  remedy: "Send JSON text in UTF-8.",
  issues: [{ path: "", code: "json_syntax", message: "not JSON" }],
  ...(cause instanceof Error ? { cause: cause.name } : {}),
})) {}

/** The limit that a value breaks; also used as issue code. */
export type BoundCode =
  | "too_deep"
  | "too_many_keys"
  | "too_many_values"
  | "lone_surrogate"
  | "duplicate_key"
  | "prototype_key"
  | "string_too_long"
  | "base64_blob"
  | "number_not_finite"
  | "number_precision"
  | "not_json";

const BOUND_REMEDY: Readonly<Record<BoundCode, string>> = {
  too_deep: "Flatten the value.",
  too_many_keys: "Send the content as a file reference.",
  too_many_values: "Send the content as a file reference.",
  lone_surrogate: "Send whole characters: text must be valid Unicode.",
  duplicate_key: "Name each key of an object once.",
  prototype_key: "Choose another name for the key.",
  string_too_long: "Store the content and send a file reference to it.",
  base64_blob: "Store the binary content and send a file reference to it.",
  number_not_finite: "Send a finite number.",
  number_precision: "Send the digits as a string.",
  not_json: "Send plain JSON values only.",
};

/** Valid JSON beyond the limits: depth, keys, a duplicate key, embedded base64, or an integer that would be rounded. */
export class JsonBoundError extends defineError(
  ({
    bound,
    path,
    problem,
  }: {
    readonly bound: BoundCode;
    readonly path: string;
    readonly problem: string;
  }) => ({
    code: `ENVELOPE_${bound.toUpperCase()}`,
    failureClass: bound === "string_too_long" || bound === "base64_blob" ? "validation_error" : "parse_error",
    message: `${problem} at ${path === "" ? "/" : path}.`,
    remedy: BOUND_REMEDY[bound],
    issues: [{ path, code: bound, message: problem }],
    bound,
  }),
) {}

/** The message exceeds its size limit, stored or decompressed. */
export class EnvelopeTooLargeError extends defineError((bytesMax: number) => ({
  code: "ENVELOPE_TOO_LARGE",
  failureClass: "validation_error",
  message: `The envelope has more than ${bytesMax} bytes.`,
  remedy: "Store large content and send file references to it.",
  issues: [{ path: "", code: "too_large", message: `more than ${bytesMax} bytes` }],
})) {}

/** The value does not match the envelope version it names. */
export class EnvelopeInvalidError extends defineError((issues: readonly Issue[]) => ({
  code: "ENVELOPE_INVALID",
  failureClass: "validation_error",
  message: `The envelope is not valid at ${issues.map((issue) => issue.path || "/").join(", ")}.`,
  remedy: "Correct the sender: envelopes are made by createFirst, createNext and createDischarge.",
  issues,
})) {}

/** The envelope is newer than this worker; it waits for a newer worker. */
export class EnvelopeVersionUnsupportedError extends defineError((newest: number) => ({
  code: "ENVELOPE_VERSION_UNSUPPORTED",
  failureClass: "unsupported_version",
  message: `The envelope's schema is newer than ${newest}, the newest this worker knows.`,
  remedy: "Deploy a worker that supports the version; the message waits for it until it expires.",
  issues: [{ path: "/schema", code: "unsupported_version", message: `newest known is ${newest}` }],
})) {}

/** A keyring, a key or a master secret is invalid. Found at start-up. */
export class KeyringInvalidError extends defineError((problem: string) => ({
  code: "ENVELOPE_KEYRING_INVALID",
  failureClass: "handler_error",
  severity: "fatal",
  message: `The keyring cannot be used: ${problem}.`,
  remedy: "Issue the keyring again with `npx suture keys issue`.",
})) {}

/** This process has no key to seal messages on that edge. */
export class SigningKeyMissingError extends defineError(
  (edge: { readonly from: string; readonly to: string }) => ({
    code: "ENVELOPE_SIGNING_KEY_MISSING",
    failureClass: "handler_error",
    severity: "fatal",
    message: `No key seals messages from ${edge.from} to ${edge.to}.`,
    remedy: "Declare the transition in the team and reissue the sender's keyring.",
  }),
) {}

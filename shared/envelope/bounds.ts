/** Size limits of one message, all inclusive. */
export interface EnvelopeLimits {
  /** Bytes of the envelope's JSON text in UTF-8. Default 1 MiB. */
  readonly envelopeBytesMax: number;
  /** Bytes of the envelope's text above which it is stored as gzip. Default 100 KiB. */
  readonly plainBytesMax: number;
  /** Nesting depth of objects and arrays. Default 32. */
  readonly depthMax: number;
  /** Keys of all objects together. Default 20,000. */
  readonly keysMax: number;
  /** Bytes of one string in UTF-8. Default 64 KiB. */
  readonly stringBytesMax: number;
  /** Characters of one run of base64. Default 1023: longer content must be sent as a file reference. */
  readonly base64CharsMax: number;
}

export const ENVELOPE_LIMITS_DEFAULT: EnvelopeLimits = {
  envelopeBytesMax: 1024 * 1024,
  plainBytesMax: 100 * 1024,
  depthMax: 32,
  keysMax: 20_000,
  stringBytesMax: 64 * 1024,
  base64CharsMax: 1023,
};

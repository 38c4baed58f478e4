/** Replaces a sensitive value. */
export const SENSITIVE_MASK = "[sensitive]";

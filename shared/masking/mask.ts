/** Stands where a value was that its contract marks as sensitive. */
export const SENSITIVE_MASK = "[sensitive]";

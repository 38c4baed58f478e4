/** Retries of a failed message without settings; delays in ms. `deliveriesMax` counts the first delivery too. */
export const RETRY_DEFAULTS = { deliveriesMax: 3, delayMs: 1000, delayMsMax: 300_000 } as const;

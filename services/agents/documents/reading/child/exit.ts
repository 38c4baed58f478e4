/** Exit code of a reader whose optional packages are not installed. */
export const PACKAGES_MISSING = 3;

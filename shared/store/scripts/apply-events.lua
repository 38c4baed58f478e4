-- Applies events to runs.
applyToRuns()

-- Applies events to runs.
applyToRuns(runs)

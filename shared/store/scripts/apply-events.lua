-- Tells runs what happened.
applyToRuns()

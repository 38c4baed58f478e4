-- Tells runs what happened.   KEYS: 1 counts, 2 index of all runs, 3.. record,
-- messages and log of each run   ARGV and reply: as `applyToRuns`, from the first on
return applyToRuns(KEYS[1], KEYS[2], 1)

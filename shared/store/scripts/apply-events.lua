-- Tells runs what happened.   KEYS: 1 counts, 2 index of all runs   ARGV and reply: as `applyToRuns`, from the first on
return applyToRuns(KEYS[1], KEYS[2], 1)

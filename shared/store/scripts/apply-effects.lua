-- Part of other scripts: writes the effects of an outcome: jobs, changes of runs, and dead messages for the ward's inbox.
-- Each is idempotent, because Redis does not roll back when a later command of the script fails: it is repeated with the
-- next delivery.
local function applyEffects()
  for i = 1, #jobs do addJob(jobs[i], nowMs) end
  applyToRuns(runs)
  -- Last: its case may be decided at once, and the record of its run is written by then.
  if #admitted > 0 then redis.call("RPUSH", inbox, unpack(admitted)) end
end

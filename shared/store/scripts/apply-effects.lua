-- Part of other scripts: writes the effects of an outcome: jobs, changes of runs, dead messages for the ward's inbox, and
-- handoffs that await acknowledgement. Each is idempotent, because Redis does not roll back when a later command of the
-- script fails: it is repeated with the next delivery.
local function applyEffects()
  for i = 1, #jobs do addJob(jobs[i], nowMs) end
  for i = 1, #awaited do redis.call("ZADD", acknowledgements, awaited[i].dueMs, awaited[i].member) end
  applyToRuns(runs)
  -- Last: its case may be decided at once, and the record of its run is written by then.
  if #admitted > 0 then redis.call("RPUSH", inbox, unpack(admitted)) end
end

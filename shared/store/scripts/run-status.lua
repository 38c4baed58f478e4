-- Part of other scripts: a run's status. A run with messages continues, whatever ends were reported. Without any it has
-- ended, by the worst reason: cancelled, then failed, then expired.
local ENDED = { completed = true, failed = true, cancelled = true, expired = true }

-- `open`, `inWard`, `quarantined`: its messages. `cancelled`, `failed`, `expired`: how often each bad end was
-- reported, as Redis stores it. `isStarted`: an agent has started it, as the present change reports.
local function runStatus(before, open, inWard, quarantined, cancelled, failed, expired, isStarted)
  if open > 0 then return (isStarted or before ~= "queued") and "running" or "queued" end
  if inWard > 0 then return "in_ward" end
  if quarantined > 0 then return "quarantined" end
  if tonumber(cancelled or 0) > 0 then return "cancelled" end
  if tonumber(failed or 0) > 0 then return "failed" end
  return tonumber(expired or 0) > 0 and "expired" or "completed"
end

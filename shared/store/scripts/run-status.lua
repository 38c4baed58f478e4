-- Part of other scripts: a run's status, as `shared/store/runs/run-status.ts` has it; a property test holds the two together.
local ENDED = { completed = true, failed = true, cancelled = true, expired = true }

-- `counts`: of its messages by state, and of its bad ends, as Redis keeps them. `started`: an agent works on it since.
local function runStatus(before, counts, started)
  local function ended(kind) return (tonumber(counts[kind] or "0") or 0) > 0 end
  if counts.open + counts.inWard + counts.quarantined == 0 then
    return (ended("cancelled") and "cancelled") or (ended("failed") and "failed") or (ended("expired") and "expired")
      or "completed"
  end
  if counts.open > 0 then return (started or before ~= "queued") and "running" or "queued" end
  return counts.inWard > 0 and "in_ward" or "quarantined"
end

-- Whether an ended run goes on: a failure was taken back, or a guest that had nothing left to do here is sent another
-- message.
local function reopensRun(before, isFailureUndone, isGuestWithMessages)
  return (isFailureUndone and before == "failed") or (isGuestWithMessages and ENDED[before])
end

-- Part of other scripts: takes the next job of one queue for a worker, on the engine's own keys, and says in passing
-- whether its receiver's ledger knows the message. Only the plain case: whatever else a queue may hold (a pause, a rate,
-- due delayed jobs, priorities) is left to the engine's own script.
-- Returns {"engine"} use the engine's script | {"none", ms at which a delayed job falls due, or 0}
--   | {"job", id, data, starts, stalls, whether the ledger knows nothing of this message and its run is not cancelled,
--     whether more waits}
local function takeNext(lockToken)
  local base = queueBase
  local meta = redis.call("HMGET", base .. "meta", "paused", "concurrency", "max")
  if meta[1] or meta[2] or meta[3] then return { "engine" } end
  -- Delayed jobs are for the queue of retries; in another one they wait until nothing else does.
  local due
  if not ledgerBase then
    due = firstDueMs(base)
    if due and due <= tonumber(takenMs) then return { "engine" } end
  end
  local id = redis.call("RPOPLPUSH", base .. "wait", base .. "active")
  if not id then
    due = due or firstDueMs(base)
    if (due and due <= tonumber(takenMs)) or redis.call("EXISTS", base .. "prioritized") == 1 then return { "engine" } end
    return { "none", due or 0 }
  end
  local job = base .. id
  local stored = redis.call("HMGET", job, "data", "stc", "ats")
  if not stored[1] then
    -- While a slot is moved its keys arrive one by one, and a command for two of them is refused until both are there.
    local moved = redis.pcall("EXISTS", job, base .. "meta")
    if type(moved) == "table" then
      redis.call("LREM", base .. "active", 1, id)
      redis.call("LPUSH", base .. "wait", id)
      return { "none", 0 }
    end
    -- Somebody deleted it. It is handed out empty, as the engine's script does, so that its agent settles it.
  end
  redis.call("SET", job .. ":lock", lockToken, "PX", lockMs)
  local starts = tonumber(stored[3] or 0) + 1
  redis.call("HSET", job, "processedOn", takenMs, "ats", starts)
  -- The mark wakes whoever waits; without further work it would wake them for nothing.
  local more = redis.call("EXISTS", base .. "wait", base .. "prioritized") > 0
  if more then redis.call("ZADD", base .. "marker", 0, "0") end
  local run = ledgerBase and stored[1] and runIdHint(stored[1])
  local isFirst = run and redis.call("EXISTS", ledgerBase .. id, cancelledBase .. run) == 0
  return { "job", id, stored[1] or "{}", starts, tonumber(stored[2] or 0), isFirst and 1 or 0, more and 1 or 0 }
end

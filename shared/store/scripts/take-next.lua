-- Part of other scripts: takes the next job of one queue, on BullMQ's own keys, and checks the receiver's ledger in
-- the same call. Handles the plain case only: whatever else a queue may hold (a pause, a rate limit, due delayed
-- jobs, priorities) is left to BullMQ's own script.
-- Returns {"engine"} use BullMQ's script
-- or {"none", ms at which a delayed job is due, or 0}
-- or {"job", id, data, starts, stalls, whether the ledger has no entry of this message and its run is not cancelled,
-- whether more jobs wait}
local function takeNext(lockToken)
  local base = queueBase
  local meta = redis.call("HMGET", base .. "meta", "paused", "concurrency", "max")
  if meta[1] or meta[2] or meta[3] then return { "engine" } end
  -- Delayed jobs belong to the retry queue; in another one they wait until no other job does.
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
    -- During a slot migration keys move one by one, and a command on two of them is refused until both have arrived.
    local moved = redis.pcall("EXISTS", job, base .. "meta")
    if type(moved) == "table" then
      redis.call("LREM", base .. "active", 1, id)
      redis.call("LPUSH", base .. "wait", id)
      return { "none", 0 }
    end
    -- The job was deleted. It is returned empty, as BullMQ's script does, so that its agent settles it.
  end
  redis.call("SET", job .. ":lock", lockToken, "PX", lockMs)
  local starts = tonumber(stored[3] or 0) + 1
  redis.call("HSET", job, "processedOn", takenMs, "ats", starts)
  -- The marker wakes waiting workers; without further jobs it would wake them for nothing.
  local more = redis.call("EXISTS", base .. "wait", base .. "prioritized") > 0
  if more then redis.call("ZADD", base .. "marker", 0, "0") end
  -- Only a hint, without parsing the message: the commit script checks again with the verified id.
  local run = ledgerBase and stored[1] and string.match(stored[1], [[\"run_id\":\"([%x%-]+)]])
  local isFirst = run and redis.call("EXISTS", ledgerBase .. id, cancelledBase .. run) == 0
  return { "job", id, stored[1] or "{}", starts, tonumber(stored[2] or 0), isFirst and 1 or 0, more and 1 or 0 }
end

-- Part of other scripts: takes the next job of one queue for a worker, on the engine's own keys, and says in passing
-- whether its receiver's book knows the message. Only the plain case: whatever else a queue may hold (a pause, a rate, due
-- delayed jobs, priorities) is left to the engine's own script.
-- Reply: {"engine"} use the engine's script | {"none", ms at which a delayed job falls due, or 0}
--      | {"job", id, data, starts, stalls, "1" when the book knows nothing of this message and its run is not cancelled,
--        "1" when more waits}
-- The run's id is read from the stored text as a hint only: what it leads to is asked again, with the verified id, in
-- the script that commits.
local function takeNext(base, token, nowMs, lockMs, ledger, cancelled)
  local meta = redis.call("HMGET", base .. "meta", "paused", "concurrency", "max")
  if meta[1] or meta[2] or meta[3] then return { "engine" } end
  -- Delayed jobs are for the queue of retries; in another one they wait until nothing else does.
  local function dueMs()
    local due = redis.call("ZRANGE", base .. "delayed", 0, 0, "WITHSCORES")[2]
    return due and math.floor(tonumber(due) / 0x1000)
  end
  local due
  if ledger == "" then
    due = dueMs()
    if due and due <= tonumber(nowMs) then return { "engine" } end
  end
  local id = redis.call("RPOPLPUSH", base .. "wait", base .. "active")
  if not id then
    due = due or dueMs()
    if (due and due <= tonumber(nowMs)) or redis.call("EXISTS", base .. "prioritized") == 1 then return { "engine" } end
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
  redis.call("SET", job .. ":lock", token, "PX", lockMs)
  local starts = tonumber(stored[3] or 0) + 1
  redis.call("HSET", job, "processedOn", nowMs, "ats", starts)
  -- The mark wakes whoever waits; without further work it would wake them for nothing.
  local more = redis.call("EXISTS", base .. "wait", base .. "prioritized") > 0
  if more then redis.call("ZADD", base .. "marker", 0, "0") end
  local first = "0"
  local run = ledger ~= "" and stored[1] and string.match(stored[1], [[\"run_id\":\"([%x%-]+)]])
  if run and redis.call("EXISTS", ledger .. id, cancelled .. run) == 0 then first = "1" end
  return { "job", id, stored[1] or "{}", starts, tonumber(stored[2] or 0), first, more and "1" or "0" }
end

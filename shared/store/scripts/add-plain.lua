-- Part of other scripts: adds a job to a queue in BullMQ's form. Idempotent by job id.
local function addPlain(base, id, data, options, addedMs, atHead)
  if redis.call("EXISTS", base .. id) == 1 then return end
  -- The list first: if its key has another type, the script fails before a job is stored that nothing would take.
  redis.call(atHead and "RPUSH" or "LPUSH", base .. "wait", id)
  redis.call("HSET", base .. id, "name", "handoff", "data", data, "opts", options, "timestamp", addedMs,
    "delay", 0, "priority", 0)
  redis.call("ZADD", base .. "marker", 0, "0")
end

-- Part of other scripts: adds a job to a queue, unless it is there already, in the engine's own form.
local function addPlain(base, id, data, options, addedMs, atHead)
  if redis.call("EXISTS", base .. id) == 1 then return end
  -- The list first: were it no list, a job that is stored and waits nowhere would be taken for added.
  redis.call(atHead and "RPUSH" or "LPUSH", base .. "wait", id)
  redis.call("HSET", base .. id, "name", "handoff", "data", data, "opts", options, "timestamp", addedMs,
    "delay", 0, "priority", 0)
  redis.call("ZADD", base .. "marker", 0, "0")
end

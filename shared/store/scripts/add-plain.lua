-- Part of other scripts: adds a job to a queue, unless it is there already, in the engine's own form.
-- Reply: 1 added | 0 there already
local function addPlain(base, id, data, options, nowMs, head)
  if redis.call("EXISTS", base .. id) == 1 then return 0 end
  -- The list first: were it no list, a job that is stored and waits nowhere would be taken for added.
  redis.call(head == "1" and "RPUSH" or "LPUSH", base .. "wait", id)
  redis.call("HSET", base .. id, "name", "handoff", "data", data, "opts", options, "timestamp", nowMs,
    "delay", 0, "priority", 0)
  redis.call("ZADD", base .. "marker", 0, "0")
  return 1
end

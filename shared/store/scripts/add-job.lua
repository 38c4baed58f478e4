-- Adds a job to a queue, unless it is there already, in the engine's own form.
-- KEYS: 1 base of the queue's keys   ARGV: 1 job id, 2 data, 3 options, 4 now in ms, 5 "1" for the head of the queue
-- Reply: 1 added | 0 there already
local base, id = KEYS[1], ARGV[1]
if redis.call("EXISTS", base .. id) == 1 then return 0 end
redis.call("HSET", base .. id, "name", "handoff", "data", ARGV[2], "opts", ARGV[3], "timestamp", ARGV[4],
  "delay", 0, "priority", 0)
redis.call(ARGV[5] == "1" and "RPUSH" or "LPUSH", base .. "wait", id)
redis.call("ZADD", base .. "marker", 0, "0")
return 1

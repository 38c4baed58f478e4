-- Adds a job that waits for its time, unless it is there already, in the engine's own form. The time is Redis': the
-- sender's clock may have jumped by hours, and the job would wait as long.
-- KEYS: 1 meta, 2 delayed of the queue, 3 the job
-- ARGV: 1 job id, 2 data, 3 options, 4 delay in ms, 5 priority, 0 for none, 6 base of the queue's keys
-- Reply: 1 added | 0 there already
local base, id = ARGV[6], ARGV[1]
if redis.call("EXISTS", base .. id) == 1 then return 0 end
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
-- The engine's score: the millisecond, and within it a place after those that are there.
local first = (now + tonumber(ARGV[4])) * 0x1000
local last = first + 0x1000 - 1
local before = redis.call("ZREVRANGEBYSCORE", base .. "delayed", last, first, "WITHSCORES", "LIMIT", 0, 1)[2]
local score = before and math.min(tonumber(before) + 1, last) or first
-- The set first: were it no set, a job that is stored and waits nowhere would be taken for added.
redis.call("ZADD", base .. "delayed", score, id)
redis.call("HSET", base .. id, "name", "handoff", "data", ARGV[2], "opts", ARGV[3], "timestamp", now,
  "delay", ARGV[4], "priority", ARGV[5])
local next = redis.call("ZRANGE", base .. "delayed", 0, 0, "WITHSCORES")[2]
redis.call("ZADD", base .. "marker", math.floor(tonumber(next) / 0x1000), "1")
return 1

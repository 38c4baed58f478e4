-- Puts the job of a case aside until the group's turn is over, if there is somebody to end it. The case is not touched.
-- KEYS: 1 turns of the group, 2 jobs that wait for the group, 3 groups for which jobs wait
-- ARGV: 1 base of the ward queue's keys, 2 job id, 3 lock token, 4 now in ms, 5 longest wait in ms, 6 fingerprint
-- Reply: "parked" | "free": nobody would call it | "lost"
local base, id, job = ARGV[1], ARGV[2], ARGV[1] .. ARGV[2]
if redis.call("GET", job .. ":lock") ~= ARGV[3] then return "lost" end
local alive, _, rests = readTurns(KEYS[1], base, ARGV[4], id)
if alive == 0 and not rests then return "free" end
if redis.call("LREM", base .. "active", -1, id) == 0 then return "lost" end
redis.call("DEL", job .. ":lock")
redis.call("SREM", base .. "stalled", id)
-- By Redis' clock, and in the engine's score, as `add-delayed.lua` has it; many may share a millisecond here.
local time = redis.call("TIME")
local due = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(ARGV[5])
redis.call("ZADD", base .. "delayed", due * 0x1000, id)
redis.call("HSET", job, "delay", ARGV[5])
local next = redis.call("ZRANGE", base .. "delayed", 0, 0, "WITHSCORES")[2]
redis.call("ZADD", base .. "marker", math.floor(tonumber(next) / 0x1000), "1")
redis.call("ZADD", KEYS[2], "NX", ARGV[4], id)
redis.call("SADD", KEYS[3], ARGV[6])
return "parked"

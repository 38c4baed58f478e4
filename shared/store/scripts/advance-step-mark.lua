-- Counts one more step of a run as taken, where nobody did so since the mark was read.
-- KEYS: 1 run   ARGV: 1 steps taken, as read
if redis.call("EXISTS", KEYS[1]) == 0 then return 0 end
if (redis.call("HGET", KEYS[1], "steps_taken") or "0") ~= ARGV[1] then return 0 end
redis.call("HSET", KEYS[1], "steps_taken", tonumber(ARGV[1]) + 1)
return 1

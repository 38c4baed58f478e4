-- Sets money aside before a model is asked, so that surgeons working side by side cannot pass a limit together.
-- KEYS: 1 case, 2 spent in this hour, 3 group of the case, 4 what the hour's limit held back,
--       5 spent in this hour for the tenant
-- ARGV: 1 amount in micro-USD, 2 limit of a case, 3 limit of an hour, 4 limit of a group, 5 life of the hour's key in ms,
--       6 now in ms, 7 what of an hour's money the tenant may have
-- Reply: "reserved" | "case" | "group" | "hour"
local amount = tonumber(ARGV[1])
if tonumber(redis.call("HGET", KEYS[1], "cost_micro") or "0") + amount > tonumber(ARGV[2]) then return "case" end
if tonumber(redis.call("HGET", KEYS[3], "cost_micro") or "0") + amount > tonumber(ARGV[4]) then return "group" end
local ofTenant = tonumber(redis.call("GET", KEYS[5]) or "0") + amount > tonumber(ARGV[7])
if ofTenant or tonumber(redis.call("GET", KEYS[2]) or "0") + amount > tonumber(ARGV[3]) then
  -- For people: since when, by which limit, how often.
  redis.call("HSETNX", KEYS[4], "since_ms", ARGV[6])
  redis.call("HSET", KEYS[4], "limit_micro", ofTenant and ARGV[7] or ARGV[3])
  redis.call("HINCRBY", KEYS[4], "refusals", 1)
  redis.call("PEXPIRE", KEYS[4], ARGV[5])
  return "hour"
end
redis.call("HINCRBY", KEYS[1], "cost_micro", ARGV[1])
redis.call("HINCRBY", KEYS[3], "cost_micro", ARGV[1])
redis.call("INCRBY", KEYS[2], ARGV[1])
redis.call("PEXPIRE", KEYS[2], ARGV[5])
redis.call("INCRBY", KEYS[5], ARGV[1])
redis.call("PEXPIRE", KEYS[5], ARGV[5])
return "reserved"

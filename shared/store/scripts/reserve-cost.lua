-- Reserves money before a model call, so that concurrent surgeons cannot exceed a limit together.
if tonumber(redis.call("HGET", case, "cost_micro") or "0") + amount > caseMax then return "case" end
if tonumber(redis.call("HGET", group, "cost_micro") or "0") + amount > groupMax then return "group" end
local ofTenant = tonumber(redis.call("GET", spentByTenant) or "0") + amount > tenantMax
if ofTenant or tonumber(redis.call("GET", spentInHour) or "0") + amount > hourMax then
  -- For display: since when, by which limit, how often.
  redis.call("HSETNX", heldBack, "since_ms", nowMs)
  redis.call("HSET", heldBack, "limit_micro", ofTenant and tenantMax or hourMax)
  redis.call("HINCRBY", heldBack, "refusals", 1)
  redis.call("PEXPIRE", heldBack, hourLifeMs)
  return "hour"
end
redis.call("HINCRBY", case, "cost_micro", amount)
redis.call("HINCRBY", group, "cost_micro", amount)
redis.call("INCRBY", spentInHour, amount)
redis.call("PEXPIRE", spentInHour, hourLifeMs)
redis.call("INCRBY", spentByTenant, amount)
redis.call("PEXPIRE", spentByTenant, hourLifeMs)
return "reserved"

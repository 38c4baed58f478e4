-- Writes down how a claimed side effect ended. Not fenced by the job's lock: the effect has happened, and a worker that
-- lost its lock meanwhile is the only one that knows. The claim id says whose effect it was.
-- A done claim has no life of its own: upkeep forgets it once its run is over.
if redis.call("HGET", claim, "claim_id") ~= claimId then return end
if value then
  redis.call("HSET", claim, "state", "done", "value", value)
  redis.call("ZADD", claims, redisNowMs(), claim)
else
  redis.call("DEL", claim)
  redis.call("ZREM", claims, claim)
end

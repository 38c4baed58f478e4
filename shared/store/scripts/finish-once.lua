-- Completes or frees a claimed side effect. Not fenced by the job's lock: the effect has happened, and a worker that
-- lost its lock meanwhile is the only one that knows. The claim id identifies its owner.
-- A completed claim does not expire: upkeep deletes it once its run has ended.
if redis.call("HGET", claim, "claim_id") ~= claimId then return end
if value then
  redis.call("HSET", claim, "state", "done", "value", value, "labels", labels or "[]")
  redis.call("ZADD", claims, redisNowMs(), claim)
else
  redis.call("DEL", claim)
  redis.call("ZREM", claims, claim)
end

-- Claims one side effect for a whole agent, whose holders' locks lie in several shards: the caller has read the claim and
-- its holder's lock, and says what it saw.
local known = redis.call("HMGET", claim, "state", "claim_id", "value", "labels", "message_id")
if known[1] == "done" then return { "done", known[3], known[4] } end
if (known[2] or nil) ~= seen then return { "stale" } end
if known[1] == "claimed" then
  if isAlive and not isOwn then return { "busy" } end
  if not takesOver then return { "uncertain", known[5], known[4] } end
end
redis.call("HSET", claim, "state", "claimed", "message_id", messageId, "at", nowText, "claim_id", claimId,
  "lock", jobLock, "token", token, "run_id", runId, "labels", labels)
redis.call("ZADD", claims, redisNowMs(), claim)
return { "claimed" }

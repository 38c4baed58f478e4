-- Claims one side effect before it is executed. The claim stores the key of its holder's lock, so that a later
-- claimant can check whether the holder is alive.
if redis.call("GET", jobLock) ~= token then return { "lost" } end
redis.call("HSET", ledger, noteField, note, "digest", digest)
local state = redis.call("HGET", claim, "state")
if state == "done" then return { "done", unpack(redis.call("HMGET", claim, "value", "labels")) } end
if state == "claimed" then
  local holder = redis.call("HMGET", claim, "message_id", "lock", "token", "labels")
  local alive = redis.call("GET", holder[2]) == holder[3]
  if alive and holder[3] ~= token then return { "busy" } end
  if not takesOver then return { "uncertain", holder[1], holder[4] } end
end
redis.call("HSET", claim, "state", "claimed", "message_id", messageId, "at", nowText, "claim_id", claimId,
  "lock", jobLock, "token", token, "run_id", runId, "labels", labels)
redis.call("ZADD", claims, redisNowMs(), claim)
return { "claimed" }

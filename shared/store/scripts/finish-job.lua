-- Finishes a job and takes the next one. If a failover lost its outcome, the job is redelivered.
if isProved then
  local outcome = redis.call("HMGET", provedBy, "outcome", "d:" .. finishedJobId)
  if not outcome[1] and not outcome[2] then return { "undone" } end
end
return finishAndTake(token, false)

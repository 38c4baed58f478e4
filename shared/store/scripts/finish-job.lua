-- Ends a job that its worker is through with, and takes the next. Where a failover took its outcome back, the job has to
-- be done again.
if isProved then
  local outcome = redis.call("HMGET", provedBy, "outcome", "d:" .. finishedJobId)
  if not outcome[1] and not outcome[2] then return { "undone" } end
end
return finishAndTake(token, false)

-- Ends a job that its worker is through with, and takes the next.
-- KEYS: 1 meta, 2 active of the queue, 3 the job, 4 hash in which the outcome of the job stands, or the same as 1
-- ARGV: 1 lock token, 2 "1" to end it only where its outcome stands, then as `finishAndTake`
-- Reply: -8 its outcome does not stand: a failover took it back, and the job has to be done again | as `finishAndTake`
if ARGV[2] == "1" then
  local outcome = redis.call("HMGET", KEYS[4], "outcome", "d:" .. ARGV[4])
  if not outcome[1] and not outcome[2] then return -8 end
end
return finishAndTake(3, ARGV[1], false)

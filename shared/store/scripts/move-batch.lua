-- Moves a batch from one state to the next (compare-and-set), so that of a person's stop and a surgeon's step the
-- first wins.
if redis.call("HGET", batch, "state") ~= from then return 0 end
redis.call("HSET", batch, "state", to, "changed_ms", atMs)
return 1

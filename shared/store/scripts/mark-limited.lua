-- Notes which message of a run was the first that a limit stopped.
-- KEYS: 1 run   ARGV: 1 message id
-- Reply: 1 it was this one, or nobody keeps the run's record | 0 it was another
if redis.call("EXISTS", KEYS[1]) == 0 then return 1 end
if redis.call("HSETNX", KEYS[1], "limited_by", ARGV[1]) == 1 then return 1 end
return redis.call("HGET", KEYS[1], "limited_by") == ARGV[1] and 1 or 0

-- Records the first message of a run that a limit stopped.
if redis.call("EXISTS", run) == 0 then return 1 end
if redis.call("HSETNX", run, "limited_by", messageId) == 1 then return 1 end
return redis.call("HGET", run, "limited_by") == messageId and 1 or 0

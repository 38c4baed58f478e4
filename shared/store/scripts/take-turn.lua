-- Takes a turn to have a model asked for a group, if there is one.
if redis.call("GET", lock) ~= token then return "lost" end
local mine = turnField(jobId)
if redis.call("HGET", turns, mine) == token then return "yours" end
local alive, alone, rests = readTurns(turns, jobId)
if rests or alive >= (alone and 1 or turnsAtOnce) then return "busy" end
redis.call("HSET", turns, mine, token)
redis.call("PEXPIRE", turns, lifeMs)
return "yours"

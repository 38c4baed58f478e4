-- Takes a slot to have a model asked for a group, if there is one.
if redis.call("GET", lock) ~= token then return "lost" end
local mine = slotField(jobId)
if redis.call("HGET", slots, mine) == token then return "yours" end
local alive, alone, rests = readSlots(slots, jobId)
if rests or alive >= (alone and 1 or slotsAtOnce) then return "busy" end
redis.call("HSET", slots, mine, token)
redis.call("PEXPIRE", slots, lifeMs)
return "yours"

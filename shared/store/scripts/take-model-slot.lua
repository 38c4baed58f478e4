-- Takes a model slot of a group, if one is free.
if redis.call("GET", lock) ~= token then return "lost" end
local mine = slotField(jobId)
if redis.call("HGET", slots, mine) == token then return "yours" end
local alive, alone, rests = readSlots(slots, jobId)
if rests or alive >= (alone and 1 or slotsAtOnce) then return "busy" end
redis.call("HSET", slots, mine, token)
redis.call("PEXPIRE", slots, lifeMs)
return "yours"

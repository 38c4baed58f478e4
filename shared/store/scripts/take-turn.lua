-- Takes a turn to have a model asked for a group, if there is one.
-- KEYS: 1 turns of the group, 2 lock of the job   ARGV: 1 base of the ward queue's keys, 2 job id, 3 lock token, 4 now in ms,
--       5 turns at once where the last repair gave no recipe, 6 life of the group's turns in ms
-- Reply: "yours" | "busy" | "lost"
if redis.call("GET", KEYS[2]) ~= ARGV[3] then return "lost" end
local mine = "h:" .. ARGV[2]
if redis.call("HGET", KEYS[1], mine) == ARGV[3] then return "yours" end
local alive, alone, rests = readTurns(KEYS[1], ARGV[1], ARGV[4], ARGV[2])
if rests or alive >= (alone and 1 or tonumber(ARGV[5])) then return "busy" end
redis.call("HSET", KEYS[1], mine, ARGV[3])
redis.call("PEXPIRE", KEYS[1], ARGV[6])
return "yours"

-- Adds a line to the ward's audit, and to the one of a group.
-- KEYS: 1 audit of the ward, 2 audit of the group (or of the ward again for none)
-- ARGV: 1 audit entry, 2 audit length of the ward, 3 audit length of a group
local line = pushAudit(KEYS[1], ARGV[1], tonumber(ARGV[2]))
if KEYS[2] ~= KEYS[1] then
  redis.call("LPUSH", KEYS[2], line)
  redis.call("LTRIM", KEYS[2], 0, tonumber(ARGV[3]) - 1)
end
return 1

-- Part of other scripts: guest runs, whose record another cluster keeps, and whose `returns_to` names the stream of
-- changes to report to it. A guest's creation time has a leading zero: scripts that read it anyway recognise a guest
-- without another command, so that other runs pay nothing.
local function guestCreatedMs(ms) return "0" .. ms end

local function isGuestTime(createdMs) return createdMs and string.sub(createdMs, 1, 1) == "0" end

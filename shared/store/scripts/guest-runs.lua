-- Part of other scripts: a guest is a run whose record another cluster keeps, and whose `returns_to` names the stream that
-- all of it is told home by. Its time of creation has a zero before it: who reads that anyway knows a guest without another
-- question, so that all other runs pay nothing.
local function guestCreatedMs(ms) return "0" .. ms end

local function isGuestTime(createdMs) return createdMs and string.sub(createdMs, 1, 1) == "0" end

-- Part of other scripts: what a group's lifecycle means, as `shared/store/cases/group-lifecycle.ts` has it; a test holds
-- the two together.

-- Rises with each change of the lifecycle: what somebody who decides had before their eyes. From 1.
local function groupVersion(markedMs, regressedMs)
  return math.max(1, tonumber(markedMs or "0"), tonumber(regressedMs or "0"))
end

-- Whether a message speaks against what somebody resolved: with a version named, only that one or a later one does, and
-- messages with which that name has nothing to do.
local function speaksAgainst(resolvedName, resolvedVersion, parties)
  if not resolvedName then return true end
  for _, party in ipairs(parties) do
    if party.name == resolvedName then return party.version >= tonumber(resolvedVersion) end
  end
  return true
end

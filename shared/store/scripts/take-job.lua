-- Takes the next job of a queue for a worker.
-- KEYS: 1 base of the queue's keys
-- ARGV: 1 lock token, 2 now in ms, 3 lock life in ms, 4 base of the agent's ledger or "", 5 base of its cancelled marks
-- Reply: as `takeNext`
return takeNext(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])

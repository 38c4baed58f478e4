-- Adds a job to a queue, unless it is there already.
-- KEYS: 1 base of the queue's keys   ARGV: 1 job id, 2 data, 3 options, 4 now in ms, 5 "1" for the head of the queue
-- Reply: 1 added | 0 there already
return addPlain(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])

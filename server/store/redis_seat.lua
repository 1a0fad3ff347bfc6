-- Notes a table at a player, after those that are noted already.
-- KEYS seats of the player
-- ARGV table
local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
redis.call('ZADD', KEYS[1], 'NX', (last[2] or 0) + 1, ARGV[1])

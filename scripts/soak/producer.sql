-- One payload: one of 400 people reads again one of the last 30 days.
\set person random(1, 400)
\set day random(0, 29)
SELECT enqueue_sync_payload(soak.person(:person), soak.payload(:person, :day));

DELETE FROM backfills WHERE projection = 'entries';
DELETE FROM entries AS e USING lists AS l WHERE l.key = e.list AND l.kind IN (10, 11);
DELETE FROM lists WHERE kind IN (10, 11);

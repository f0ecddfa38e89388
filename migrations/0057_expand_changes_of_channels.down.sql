DROP TRIGGER channels_generations_go ON channels;
DROP TRIGGER channels_generations_change ON channels;
DROP TRIGGER channels_generations_come ON channels;

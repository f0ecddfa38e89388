DROP TRIGGER held_generations_go ON held;
DROP TRIGGER held_generations_change ON held;
DROP TRIGGER held_generations_come ON held;

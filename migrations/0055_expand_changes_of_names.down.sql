DROP TRIGGER names_generations_go ON names;
DROP TRIGGER names_generations_change ON names;
DROP TRIGGER names_generations_come ON names;

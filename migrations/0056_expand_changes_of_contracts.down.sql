DROP TRIGGER contracts_generations_go ON contracts;
DROP TRIGGER contracts_generations_change ON contracts;
DROP TRIGGER contracts_generations_come ON contracts;

DROP TRIGGER node_money_children_go ON node_money;
DROP TRIGGER node_money_children_come ON node_money;
DROP FUNCTION children_of_answers();
DROP FUNCTION fill_children(bigint, bigint);
DROP FUNCTION expected_children(bigint, bigint);
DROP TABLE child_contracts;

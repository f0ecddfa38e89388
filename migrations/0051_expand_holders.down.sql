DELETE FROM backfills WHERE projection = 'holders';
DROP TRIGGER movement_rows_holders_go ON movement_rows;
DROP TRIGGER movement_rows_holders_change ON movement_rows;
DROP TRIGGER movement_rows_holders_come ON movement_rows;
DROP FUNCTION holders_of_movements();
DROP FUNCTION refresh_holders(int[]);
DROP TABLE holders;

DROP TABLE differing_opinions;

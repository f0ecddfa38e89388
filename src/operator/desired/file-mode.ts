/** Files in pods are readable for any user: which one the program runs as, and with which group, image or platform decides. */
export const FILE_MODE = 0o444;

/** Files in pods are readable for any user, because the image or the platform decides as which user and group a pod runs. */
export const FILE_MODE = 0o444;

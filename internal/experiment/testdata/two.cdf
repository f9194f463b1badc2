# nine of ten messages have 4 KiB, the others 256 KiB
4096 0.9
262144 0.9
262144 1

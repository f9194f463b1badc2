# bytes and the share in percent of messages that have at most so many
0       0
1000    50
1000    60   # a tenth has just 1000 bytes
100000  90
1000000 100

// What Glibc of Swift leaves out: the settings of the heap.
#include <malloc.h>

// The settings of the heap, which Swift's module Glibc lacks.
#include <malloc.h>

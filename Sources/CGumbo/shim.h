// The HTML5 parser libgumbo, from the package that Deploy/install brings in.
#include <gumbo.h>

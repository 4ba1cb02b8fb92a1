#include "consentlink_sqlite.h"

#include <sqlite3.h>

// Swift cannot call it: it takes any number of arguments.
bool cl_sqlite_without_memory_account(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK; }

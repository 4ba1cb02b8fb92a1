#include "consentlink_sqlite.h"

#include <stddef.h>

#include <sqlite3.h>

// Swift cannot call these functions of SQLite: they take any number of arguments.

bool cl_sqlite_without_memory_account(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK; }

int cl_sqlite_without_code(sqlite3 *connection) {
    int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    return result == SQLITE_OK ? sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL) : result;
}

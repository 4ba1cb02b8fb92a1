#ifndef CONSENTLINK_SQLITE_H
#define CONSENTLINK_SQLITE_H

#include <stdbool.h>

// Has SQLite keep no account of the memory that it takes: the account is one lock for all connections of the process,
// taken twice for each piece of memory. Must be called before SQLite is used; false when it was used already.
bool cl_sqlite_without_memory_account(void);

#endif

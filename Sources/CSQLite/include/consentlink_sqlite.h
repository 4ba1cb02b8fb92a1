#ifndef CONSENTLINK_SQLITE_H
#define CONSENTLINK_SQLITE_H

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

// Makes SQLite keep no account of its memory: the account is one lock for all connections of the process, taken twice
// for each allocation. Must be called before SQLite is used; returns false if it was used already.
bool cl_sqlite_without_memory_account(void);

// Makes a connection run no trigger and read no view of its file, even one that is added while the connection is open.
// Returns a result code of SQLite.
int cl_sqlite_without_code(struct sqlite3 *connection);

// Makes SQLite note why an open, a read or a write failed, which its result codes do not always tell: it calls a file
// damaged of which a page cannot be read, and the index of a log unable to grow whatever prevented it. Must be called
// once, before a file is opened; returns false if this build of SQLite cannot.
bool cl_sqlite_note_failed_calls(void);

// The errno of the last file that SQLite could not open or make in this process; 0 if it has opened another one since.
int cl_sqlite_open_error(void);

// The errno of the last read of any file of SQLite that failed in this process; 0 if none has.
int cl_sqlite_read_error(void);

// The same for writes.
int cl_sqlite_write_error(void);

// Rows that a statement reads as a table, `bound_rows(?)`, so that one statement inserts many:
//
//     INSERT INTO tags (message, tag) SELECT c0, c1 FROM bound_rows(?)

enum { CL_SQLITE_MOST_COLUMNS = 32 };

enum { CL_SQLITE_NULL, CL_SQLITE_INTEGER, CL_SQLITE_TEXT, CL_SQLITE_BYTES };

typedef struct {
    // The integer, or the offset of the text or the bytes in `bytes` of the rows.
    int64_t number;
    // The number of bytes of a text or of bytes.
    int32_t length;
    int32_t type;
} cl_sqlite_value;

typedef struct {
    // The values of all rows, row after row.
    const cl_sqlite_value *values;
    const char *bytes;
    int32_t columns;
    int32_t rows;
} cl_sqlite_rows;

// Lets the statements of a connection read `bound_rows`.
// Returns a result code of SQLite.
int cl_sqlite_add_bound_rows(struct sqlite3 *connection);

// Binds rows to the first parameter of a statement. They must not change until it is done.
// Returns a result code of SQLite.
int cl_sqlite_bind_rows(struct sqlite3_stmt *statement, const cl_sqlite_rows *rows);

#endif

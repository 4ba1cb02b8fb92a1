#include "consentlink_sqlite.h"

#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

// The type of the pointer: SQLite returns the pointer only to code that asks for this type.
static const char pointer_type[] = "consentlink rows";

typedef struct {
    sqlite3_vtab_cursor base;
    // NULL if the statement has bound none.
    const cl_sqlite_rows *rows;
    int32_t row;
} cursor;

static int connect_table(
    sqlite3 *connection, void *unused, int count, const char *const *arguments, sqlite3_vtab **table, char **message) {
    (void)unused, (void)count, (void)arguments, (void)message;
    // `CREATE TABLE rows (c0, …, c31, bound HIDDEN)`: an argument of the function is a hidden column.
    char declaration[32 + CL_SQLITE_MOST_COLUMNS * 8];
    int length = snprintf(declaration, sizeof declaration, "CREATE TABLE rows (");
    for (int column = 0; column < CL_SQLITE_MOST_COLUMNS; column++) {
        length += snprintf(declaration + length, sizeof declaration - (size_t)length, "c%d, ", column);
    }
    snprintf(declaration + length, sizeof declaration - (size_t)length, "bound HIDDEN)");
    int result = sqlite3_declare_vtab(connection, declaration);
    if (result != SQLITE_OK) { return result; }
    // Triggers and views of a manipulated file must not use the table.
    result = sqlite3_vtab_config(connection, SQLITE_VTAB_DIRECTONLY);
    if (result != SQLITE_OK) { return result; }
    *table = sqlite3_malloc64(sizeof **table);
    if (*table == NULL) { return SQLITE_NOMEM; }
    memset(*table, 0, sizeof **table);
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

static int find_plan(sqlite3_vtab *table, sqlite3_index_info *plan) {
    (void)table;
    for (int place = 0; place < plan->nConstraint; place++) {
        if (plan->aConstraint[place].iColumn != CL_SQLITE_MOST_COLUMNS || !plan->aConstraint[place].usable) { continue; }
        plan->aConstraintUsage[place].argvIndex = 1;
        plan->aConstraintUsage[place].omit = 1;
        return SQLITE_OK;
    }
    return SQLITE_CONSTRAINT;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **opened) {
    (void)table;
    cursor *made = sqlite3_malloc64(sizeof *made);
    if (made == NULL) { return SQLITE_NOMEM; }
    memset(made, 0, sizeof *made);
    *opened = &made->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *closed) {
    sqlite3_free(closed);
    return SQLITE_OK;
}

static int begin(sqlite3_vtab_cursor *base, int plan, const char *name, int count, sqlite3_value **arguments) {
    (void)plan, (void)name;
    cursor *at = (cursor *)base;
    at->rows = count == 1 ? sqlite3_value_pointer(arguments[0], pointer_type) : NULL;
    at->row = 0;
    return SQLITE_OK;
}

static int go_on(sqlite3_vtab_cursor *base) {
    ((cursor *)base)->row++;
    return SQLITE_OK;
}

static int is_over(sqlite3_vtab_cursor *base) {
    const cursor *at = (const cursor *)base;
    return at->rows == NULL || at->row >= at->rows->rows;
}

static int read_column(sqlite3_vtab_cursor *base, sqlite3_context *result, int column) {
    const cursor *at = (const cursor *)base;
    const cl_sqlite_rows *rows = at->rows;
    // The result stays NULL, also for the argument itself.
    if (column >= rows->columns) { return SQLITE_OK; }
    const cl_sqlite_value *value = &rows->values[(int64_t)at->row * rows->columns + column];
    // An empty text may have no address, and SQLite would read a null pointer as NULL.
    const char *start = value->length == 0 ? "" : rows->bytes + value->number;
    // SQLITE_STATIC: not copied, because the rows stay until the statement is done.
    switch (value->type) {
    case CL_SQLITE_INTEGER: sqlite3_result_int64(result, value->number); break;
    case CL_SQLITE_TEXT: sqlite3_result_text(result, start, value->length, SQLITE_STATIC); break;
    case CL_SQLITE_BYTES: sqlite3_result_blob(result, start, value->length, SQLITE_STATIC); break;
    default: break;
    }
    return SQLITE_OK;
}

static int read_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number) {
    *number = ((cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = connect_table,
    .xDisconnect = disconnect_table,
    .xBestIndex = find_plan,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = begin,
    .xNext = go_on,
    .xEof = is_over,
    .xColumn = read_column,
    .xRowid = read_number,
};

int cl_sqlite_add_bound_rows(sqlite3 *connection) {
    return sqlite3_create_module(connection, "bound_rows", &module, NULL);
}

int cl_sqlite_bind_rows(sqlite3_stmt *statement, const cl_sqlite_rows *rows) {
    return sqlite3_bind_pointer(statement, 1, (void *)rows, pointer_type, NULL);
}

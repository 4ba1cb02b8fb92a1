/*
 * The part of libpq (15 or later) that ConsentLink needs. It has only opaque pointers, bytes and numbers: no libpq
 * header is included here.
 *
 * - A connection serves one caller at a time, except that any thread may call `cl_pg_socket`.
 * - A function that returns `bool` returns `true` on success. After `false`, `cl_pg_is_usable` says whether the
 *   connection can still be used.
 * - Texts belong to the connection or the result, and are valid as long as it exists.
 * - Parameters and results are in PostgreSQL's binary format.
 */
#ifndef CONSENTLINK_POSTGRES_H
#define CONSENTLINK_POSTGRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cl_pg cl_pg;
typedef struct cl_pg_result cl_pg_result;

/* The kinds of results. */
enum {
    CL_PG_DONE = 1,     /* a command that returns no rows */
    CL_PG_ROWS = 2,
    CL_PG_ERROR = 3,
    CL_PG_ABORTED = 4,  /* not run, because one before it in the pipeline failed */
    CL_PG_SYNC = 5,     /* the end of a pipeline */
    CL_PG_COPY_IN = 6,
    CL_PG_COPY_OUT = 7,
    CL_PG_OTHER = 8,
};

/* How connecting goes on. */
enum {
    CL_PG_MUST_READ = 1,   /* when the socket can be read */
    CL_PG_MUST_WRITE = 2,  /* when the socket can be written */
    CL_PG_CONNECTED = 3,
    CL_PG_FAILED = 4,
};

/* Begins to connect, and does not wait. `keys` and `values` are libpq's parameters and end with NULL; a host must be an
   address or a folder, because libpq waits for name servers. The environment variables of libpq are removed from the
   process before, and no passphrase of a key is asked for. Returns NULL only if there is no memory. Unless
   `cl_pg_has_failed`, the caller waits until the socket can be written and then calls `cl_pg_go_on_connecting`. */
cl_pg *cl_pg_begin_connecting(const char *const *keys, const char *const *values);
/* The socket may be another one after each call. No call blocks. */
int cl_pg_go_on_connecting(cl_pg *connection);
bool cl_pg_has_failed(const cl_pg *connection);
void cl_pg_close(cl_pg *connection);
bool cl_pg_is_usable(const cl_pg *connection);
/* Why connecting failed. It contains no password, but may name host, user and database. */
const char *cl_pg_connect_error(const cl_pg *connection);
int cl_pg_socket(const cl_pg *connection);
int cl_pg_server_version(const cl_pg *connection);

/* From now on commands are sent without waiting (pipeline mode). The connection must be made. */
bool cl_pg_enter_pipeline(cl_pg *connection);
bool cl_pg_leave_pipeline(cl_pg *connection);

bool cl_pg_send_prepare(cl_pg *connection, const char *name, const char *sql, int count, const uint32_t *types);
bool cl_pg_send_prepared(
    cl_pg *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats);
/* A statement without parameters, sent once. */
bool cl_pg_send_once(cl_pg *connection, const char *sql);
/* A script of statements, outside of pipeline mode. */
bool cl_pg_send_script(cl_pg *connection, const char *sql);
/* Ends a pipeline: its results follow, and then a result CL_PG_SYNC. */
bool cl_pg_send_sync(cl_pg *connection);

/* Returns 0 if everything is sent, 1 if the socket accepts no more now, -1 if the connection is lost. */
int cl_pg_flush(cl_pg *connection);
/* Reads the bytes that have arrived. */
bool cl_pg_consume(cl_pg *connection);
/* Whether the next result has not arrived completely. */
bool cl_pg_is_busy(cl_pg *connection);
/* The next result; NULL after the last one of a command. */
cl_pg_result *cl_pg_next_result(cl_pg *connection);

void cl_pg_result_free(cl_pg_result *result);
int cl_pg_result_kind(const cl_pg_result *result);
int cl_pg_rows(const cl_pg_result *result);
int cl_pg_columns(const cl_pg_result *result);
uint32_t cl_pg_column_type(const cl_pg_result *result, int column);
bool cl_pg_is_null(const cl_pg_result *result, int row, int column);
const char *cl_pg_value(const cl_pg_result *result, int row, int column);
int cl_pg_length(const cl_pg_result *result, int row, int column);
/* The tag of a command, such as "COMMIT". */
const char *cl_pg_command(const cl_pg_result *result);
/* How many rows a command changed. */
long long cl_pg_changed(const cl_pg_result *result);
/* The next three belong to an error; NULL if there is none. */
const char *cl_pg_sqlstate(const cl_pg_result *result);
const char *cl_pg_constraint(const cl_pg_result *result);
const char *cl_pg_table(const cl_pg_result *result);
/* The server's message. It may contain values. */
const char *cl_pg_message(const cl_pg_result *result);

/* Whether there was a notification, which is removed. */
bool cl_pg_take_notification(cl_pg *connection);
/* Whether the server has warned since the last call that a commit no longer waits for its standby. */
bool cl_pg_take_interrupted_wait(cl_pg *connection);

#endif

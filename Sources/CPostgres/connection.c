#include "consentlink_postgres.h"

#include <postgresql/libpq-fe.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct cl_pg {
    PGconn *libpq;
    bool was_interrupted;
};

static PGconn *libpq(const cl_pg *connection) { return connection->libpq; }

/* Replaces libpq's own receiver, which prints notices. Notes alone that a wait for a standby was interrupted, which the
   function of the server that waits reports. A server that does not name its functions may mean that with any warning. */
static void note_interrupted_wait(void *connection, const PGresult *notice) {
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity == NULL || strcmp(severity, "WARNING") != 0) return;
    const char *function = PQresultErrorField(notice, PG_DIAG_SOURCE_FUNCTION);
    if (function == NULL || strcmp(function, "SyncRepWaitForLSN") == 0) ((cl_pg *)connection)->was_interrupted = true;
}

extern char **environ;

/* libpq's own variables, such as PGHOSTADDR and PGSERVICE, would replace what the URL says, or add to it. */
static void forget_variables(void) {
    for (char **variable = environ; variable != NULL && *variable != NULL;) {
        const char *equals = strchr(*variable, '=');
        if (strncmp(*variable, "PG", 2) != 0 || equals == NULL) {
            variable++;
            continue;
        }
        char *name = strndup(*variable, (size_t)(equals - *variable));
        if (name == NULL || unsetenv(name) != 0) variable++;
        free(name);
    }
}

/* Otherwise OpenSSL would ask for it on the terminal. */
static int no_passphrase(char *buffer, int size, PGconn *connection) {
    (void)connection;
    if (size > 0) buffer[0] = '\0';
    return 0;
}

static void prepare_process(void) {
    forget_variables();
    PQsetSSLKeyPassHook_OpenSSL(no_passphrase);
}

cl_pg *cl_pg_begin_connecting(const char *const *keys, const char *const *values) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare_process);
    cl_pg *connection = calloc(1, sizeof *connection);
    if (connection == NULL) return NULL;
    connection->libpq = PQconnectStartParams(keys, values, 0);
    if (connection->libpq == NULL) {
        free(connection);
        return NULL;
    }
    PQsetNoticeReceiver(connection->libpq, note_interrupted_wait, connection);
    return connection;
}

int cl_pg_go_on_connecting(cl_pg *connection) {
    switch (PQconnectPoll(libpq(connection))) {
    case PGRES_POLLING_READING: return CL_PG_MUST_READ;
    case PGRES_POLLING_WRITING: return CL_PG_MUST_WRITE;
    case PGRES_POLLING_OK: return PQsetnonblocking(libpq(connection), 1) == 0 ? CL_PG_CONNECTED : CL_PG_FAILED;
    default: return CL_PG_FAILED;
    }
}

void cl_pg_close(cl_pg *connection) {
    if (connection == NULL) return;
    PQfinish(libpq(connection));
    free(connection);
}

bool cl_pg_has_failed(const cl_pg *connection) { return PQstatus(libpq(connection)) == CONNECTION_BAD; }

bool cl_pg_is_usable(const cl_pg *connection) { return PQstatus(libpq(connection)) == CONNECTION_OK; }

const char *cl_pg_connect_error(const cl_pg *connection) { return PQerrorMessage(libpq(connection)); }

int cl_pg_socket(const cl_pg *connection) { return PQsocket(libpq(connection)); }

int cl_pg_server_version(const cl_pg *connection) { return PQserverVersion(libpq(connection)); }

bool cl_pg_enter_pipeline(cl_pg *connection) {
    return PQenterPipelineMode(libpq(connection)) == 1;
}

bool cl_pg_leave_pipeline(cl_pg *connection) { return PQexitPipelineMode(libpq(connection)) == 1; }

bool cl_pg_send_prepare(cl_pg *connection, const char *name, const char *sql, int count, const uint32_t *types) {
    return PQsendPrepare(libpq(connection), name, sql, count, types) == 1;
}

bool cl_pg_send_prepared(
    cl_pg *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats) {
    return PQsendQueryPrepared(libpq(connection), name, count, values, lengths, formats, 1) == 1;
}

bool cl_pg_send_once(cl_pg *connection, const char *sql) {
    return PQsendQueryParams(libpq(connection), sql, 0, NULL, NULL, NULL, NULL, 1) == 1;
}

bool cl_pg_send_script(cl_pg *connection, const char *sql) { return PQsendQuery(libpq(connection), sql) == 1; }

bool cl_pg_send_sync(cl_pg *connection) { return PQpipelineSync(libpq(connection)) == 1; }

int cl_pg_flush(cl_pg *connection) { return PQflush(libpq(connection)); }

bool cl_pg_consume(cl_pg *connection) { return PQconsumeInput(libpq(connection)) == 1; }

bool cl_pg_is_busy(cl_pg *connection) { return PQisBusy(libpq(connection)) == 1; }

cl_pg_result *cl_pg_next_result(cl_pg *connection) { return (cl_pg_result *)PQgetResult(libpq(connection)); }

bool cl_pg_take_notification(cl_pg *connection) {
    PGnotify *notification = PQnotifies(libpq(connection));
    if (notification == NULL) return false;
    PQfreemem(notification);
    return true;
}

bool cl_pg_take_interrupted_wait(cl_pg *connection) {
    bool was_interrupted = connection->was_interrupted;
    connection->was_interrupted = false;
    return was_interrupted;
}

#include "consentlink_postgres.h"

#include <postgresql/libpq-fe.h>
#include <stdlib.h>

static PGresult *libpq(const cl_pg_result *result) { return (PGresult *)result; }

void cl_pg_result_free(cl_pg_result *result) { PQclear(libpq(result)); }

int cl_pg_result_kind(const cl_pg_result *result) {
    switch (PQresultStatus(libpq(result))) {
    case PGRES_COMMAND_OK:
    case PGRES_EMPTY_QUERY: return CL_PG_DONE;
    case PGRES_TUPLES_OK: return CL_PG_ROWS;
    case PGRES_FATAL_ERROR:
    case PGRES_BAD_RESPONSE: return CL_PG_ERROR;
    case PGRES_PIPELINE_ABORTED: return CL_PG_ABORTED;
    case PGRES_PIPELINE_SYNC: return CL_PG_SYNC;
    case PGRES_COPY_IN: return CL_PG_COPY_IN;
    case PGRES_COPY_OUT: return CL_PG_COPY_OUT;
    default: return CL_PG_OTHER;
    }
}

int cl_pg_rows(const cl_pg_result *result) { return PQntuples(libpq(result)); }

int cl_pg_columns(const cl_pg_result *result) { return PQnfields(libpq(result)); }

uint32_t cl_pg_column_type(const cl_pg_result *result, int column) { return PQftype(libpq(result), column); }

bool cl_pg_is_null(const cl_pg_result *result, int row, int column) {
    return PQgetisnull(libpq(result), row, column) == 1;
}

const char *cl_pg_value(const cl_pg_result *result, int row, int column) {
    return PQgetvalue(libpq(result), row, column);
}

int cl_pg_length(const cl_pg_result *result, int row, int column) { return PQgetlength(libpq(result), row, column); }

const char *cl_pg_command(const cl_pg_result *result) { return PQcmdStatus(libpq(result)); }

long long cl_pg_changed(const cl_pg_result *result) { return atoll(PQcmdTuples(libpq(result))); }

const char *cl_pg_sqlstate(const cl_pg_result *result) { return PQresultErrorField(libpq(result), PG_DIAG_SQLSTATE); }

const char *cl_pg_constraint(const cl_pg_result *result) {
    return PQresultErrorField(libpq(result), PG_DIAG_CONSTRAINT_NAME);
}

const char *cl_pg_table(const cl_pg_result *result) { return PQresultErrorField(libpq(result), PG_DIAG_TABLE_NAME); }

const char *cl_pg_message(const cl_pg_result *result) {
    return PQresultErrorField(libpq(result), PG_DIAG_MESSAGE_PRIMARY);
}

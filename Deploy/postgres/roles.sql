-- The roles of ConsentLink and its database. A superuser runs it once, and again after every change; it changes nothing
-- that is as it should be:
--
--     psql --file Deploy/postgres/roles.sql postgres
--
-- consentlink_owner    owns the database and all tables. No client logs in as it.
-- consentlink          the service. It makes the tables, their parts for coming months and upgrades, so it acts as the
--                      owner. It cannot make roles or databases, replicate, or read files of the server.
-- consentlink_auditor  reads all tables and writes nothing. What names a person is sealed for it, too.
-- consentlink_monitor  what postgres_exporter logs in as, to this database (queries.yaml). It sees statistics of the
--                      server, and no row of a table.
--
-- The service has no limit of connections: each node holds seven, and more for a moment (docs/postgresql.md).
--
-- No role has a password here. Set one where a role connects over TCP:  \password consentlink
\set ON_ERROR_STOP on

SELECT 'CREATE ROLE consentlink_owner' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'consentlink_owner') \gexec
SELECT 'CREATE ROLE consentlink' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'consentlink') \gexec
SELECT 'CREATE ROLE consentlink_auditor' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'consentlink_auditor') \gexec
SELECT 'CREATE ROLE consentlink_monitor' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'consentlink_monitor') \gexec

ALTER ROLE consentlink_owner
    NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE consentlink
    LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT -1;
ALTER ROLE consentlink_auditor
    LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 5;
ALTER ROLE consentlink_monitor
    LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 5;
GRANT consentlink_owner TO consentlink;
GRANT pg_monitor TO consentlink_monitor;

SELECT 'CREATE DATABASE consentlink OWNER consentlink_owner ENCODING ''UTF8'' LOCALE ''C'' TEMPLATE template0'
    WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'consentlink') \gexec

REVOKE ALL ON DATABASE consentlink FROM PUBLIC;
GRANT CONNECT ON DATABASE consentlink TO consentlink, consentlink_auditor, consentlink_monitor;

-- What the service makes belongs to the owner, so that a new name for the service's role does not move the tables.
ALTER ROLE consentlink IN DATABASE consentlink SET role = 'consentlink_owner';
-- Only the schema of the tables. The service keeps to the one that has its tables in any case.
ALTER ROLE consentlink IN DATABASE consentlink SET search_path = 'public';
ALTER ROLE consentlink_auditor IN DATABASE consentlink SET search_path = 'public';
-- A second protection: the auditor has no right to write in any case. A long read must not keep dead rows for ever.
ALTER ROLE consentlink_auditor IN DATABASE consentlink SET default_transaction_read_only = on;
ALTER ROLE consentlink_auditor IN DATABASE consentlink SET statement_timeout = '15min';
ALTER ROLE consentlink_auditor IN DATABASE consentlink SET idle_in_transaction_session_timeout = '1min';

\connect consentlink
REVOKE ALL ON SCHEMA public FROM PUBLIC;
ALTER SCHEMA public OWNER TO consentlink_owner;
-- Only the service makes tables and functions there.
SELECT format('REVOKE CREATE ON SCHEMA public FROM %I', pg_get_userbyid(a.grantee))
    FROM pg_namespace n, aclexplode(n.nspacl) a
    WHERE n.nspname = 'public' AND a.privilege_type = 'CREATE' AND a.grantee NOT IN (0, n.nspowner) \gexec
GRANT USAGE ON SCHEMA public TO consentlink_auditor;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO consentlink_auditor;
ALTER DEFAULT PRIVILEGES FOR ROLE consentlink_owner IN SCHEMA public GRANT SELECT ON TABLES TO consentlink_auditor;

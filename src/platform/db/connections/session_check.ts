import type { ClientBase } from 'pg'
import { onlyRow } from '../sql.ts'
import { useUnnamedStatements } from './batch.ts'
import { flawError, type Flaw } from '../migrations/flaw.ts'
import { APPLICATION_ROLE, SETTINGS, roleStatements, quoteRole, settingStatements } from './login.ts'

/** State that a connection reports. */
type Session = {
  login: string
  pid: number
  /** Roles it may act as, including itself; only itself for a superuser. */
  roles: { name: string; above: boolean }[]
  owns: boolean
  /** Null if there is no application role. */
  serves: boolean | null
  settings: Record<string, string>
  cluster: boolean
}

/**
 * Checks the role and settings of a new connection. If it throws, the connection must not be used. Returns whether the
 * database is part of a cluster.
 */
export async function checkSession(client: ClientBase): Promise<{ isCluster: boolean }> {
  const session = onlyRow(await client.query<Session>(SESSION_QUERY, [APPLICATION_ROLE, Object.keys(SETTINGS)]))
  const { connection, processID, user = '' } = client
  const flaw = flawOf(session, user)
  if (flaw !== undefined)
    throw flawError({ says: `The service refuses to use this database session: ${flaw.says}`, mend: flaw.mend })
  // A pooler reports its own process ID, and may send the next transaction to another session of the server.
  if (session.pid !== processID) useUnnamedStatements(connection)
  return { isCluster: session.cluster }
}

const SESSION_QUERY = `
  select session_user as login, pg_backend_pid() as pid,
    (select coalesce(json_agg(json_build_object('name', r.rolname,
        'above', r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication)
        order by r.rolname <> session_user, r.rolname), '[]')
      from pg_roles r join pg_roles me on me.rolname = session_user
      where r.oid = me.oid or (not me.rolsuper and pg_has_role(me.oid, r.oid, 'member'))) as roles,
    exists (select 1 from pg_class c join pg_roles me on me.oid = c.relowner
      where me.rolname = session_user and c.relnamespace = 'public'::regnamespace) as owns,
    (select pg_has_role(session_user, oid, 'usage') from pg_roles where rolname = $1) as serves,
    (select json_object_agg(name, current_setting(name)) from unnest($2::text[]) name) as settings,
    exists (select 1 from pg_extension where extname = 'citus') as cluster`

function flawOf({ login, roles, owns, serves, settings }: Session, user: string): Flaw | undefined {
  const above = roles.find((role) => role.above)?.name
  const other = roles.find(({ name }) => name !== login && name !== APPLICATION_ROLE)?.name
  const unset = Object.keys(SETTINGS).filter((name) => settings[name] !== SETTINGS[name])
  if (above === login || owns)
    return {
      says: `its role ${login} ${owns ? 'owns the tables' : 'bypasses row-level security'}`,
      mend: loginHint(login, user),
    }
  if (above !== undefined)
    return { says: `${above} bypasses row-level security`, mend: `alter role ${quoteRole(above)} ${UNPRIVILEGED};` }
  if (other !== undefined)
    return { says: `${login} can act as ${other}`, mend: `revoke ${quoteRole(other)} from ${quoteRole(login)};` }
  if (serves !== true)
    return { says: `${login} lacks the privileges of ${APPLICATION_ROLE}`, mend: lines(roleStatements(login)) }
  if (unset.length > 0)
    return {
      says: `${login} doesn't have the settings that the service needs (${unset.join(', ')})`,
      mend: lines(settingStatements(login, unset)),
    }
  return undefined
}

const UNPRIVILEGED = 'nosuperuser nobypassrls nocreaterole nocreatedb noreplication'

const lines = (statements: readonly string[]): string => statements.map((statement) => `${statement};`).join(' ')

const loginHint = (login: string, user: string): string =>
  login === user
    ? 'set DATABASE_APP_URL to your own login role in callout_app, or unset it'
    : `make the pooler log in as ${user}, the requested user, not as its own (user= in its list of databases)`

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { flawError } from '../migrations/flaw.ts'
import { errorMessage } from '../../errors/error_code.ts'
import { onlyRow } from '../sql.ts'
import { transactOn, withClient } from '../transaction.ts'

/** Role with the rights on the tables. It is neither owner nor superuser, so row-level security applies. */
export const APPLICATION_ROLE = 'callout_app'

/**
 * Settings of every session. They are set on the login role, because a pooler doesn't pass on start-up options. Values
 * are as `current_setting` shows them.
 */
export const SETTINGS: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  row_security: 'on',
  jit: 'off',
  statement_timeout: '3s',
  lock_timeout: '1500ms',
  idle_in_transaction_session_timeout: '15s',
}

/** Arbitrary lock number. The lock keeps processes from creating a login role at the same time. */
const LOCK = 0x0ca11009

/**
 * Returns the service's connection. Its login role is specific to this database and a member of the application role
 * only. The owner creates it if it doesn't exist. All processes of a database share its password, which only the owner
 * can read. Throws a one-line error with the fix if the owner can't create it.
 */
export async function loginOf(owner: pg.ClientConfig): Promise<pg.ClientConfig> {
  return withClient(owner, async (client) => {
    const { role } = onlyRow(
      await client.query<{ role: string }>(
        `select '${APPLICATION_ROLE}_' || oid as role from pg_database where datname = current_database()`,
      ),
    )
    return withLogin(owner, role, (await findPassword(client, role)) ?? (await createLogin(client, role)))
  })
}

/** Returns the role's password if the role can log in and has the right settings and rights. */
async function findPassword(client: pg.Client, role: string): Promise<string | undefined> {
  const { rows } = await client.query<{ password: string }>(
    `
    select l.password from callout_owner.logins l join pg_roles r on r.rolname = l.role
    where l.role = $1 and r.rolcanlogin and r.rolconfig @> $2 and pg_has_role(r.oid, $3, 'usage')`,
    [role, Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`), APPLICATION_ROLE],
  )
  return rows[0]?.password
}

const createLogin = (client: pg.Client, role: string): Promise<string> =>
  transactOn(client, () => createLoginRole(client, role)).catch((error: unknown) => {
    throw flawError(
      {
        says: `The service has no login role in the database, and the owner can't create one (${errorMessage(error)})`,
        mend: LOGIN_FIX,
      },
      error,
    )
  })

async function createLoginRole(client: pg.Client, role: string): Promise<string> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK])
  await client.query('insert into callout_owner.logins (role, password) values ($1, $2) on conflict do nothing', [
    role,
    randomBytes(24).toString('base64url'),
  ])
  const { password, there } = onlyRow(
    await client.query<{ password: string; there: boolean }>(
      `select password, exists (select 1 from pg_roles where rolname = role) as there
      from callout_owner.logins where role = $1`,
      [role],
    ),
  )
  await client.query(`${there ? 'alter' : 'create'} role ${role} login password '${verifierOf(password)}'`)
  for (const statement of roleStatements(role)) await client.query(statement)
  return password
}

const LOGIN_FIX =
  'give the role in DATABASE_URL the CREATEROLE attribute, ' +
  `or set DATABASE_APP_URL to a login role of your own in ${APPLICATION_ROLE}`

/** Returns the statements that give a role its rights and settings. */
export const roleStatements = (role: string): string[] => [
  `grant ${APPLICATION_ROLE} to ${quoteRole(role)}`,
  ...settingStatements(role, Object.keys(SETTINGS)),
]

export const settingStatements = (role: string, names: readonly string[]): string[] =>
  names.map((name) => `alter role ${quoteRole(role)} set ${name} = '${SETTINGS[name]}'`)

/** Returns a role's name, quoted for a statement. */
export const quoteRole = (role: string): string => (/^[a-z_][a-z0-9_]*$/.test(role) ? role : pg.escapeIdentifier(role))

/** Returns the SCRAM verifier that PostgreSQL stores (RFC 5803), so that no statement contains the password. */
function verifierOf(password: string): string {
  const [salt, iterations] = [randomBytes(16), 4096]
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmacOf = (text: string): Buffer => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(hmacOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${hmacOf('Server Key').toString('base64')}`
}

/** Returns the same server with another user. If a connection string repeats a parameter, the last one wins. */
function withLogin(
  { connectionString: address, ...server }: pg.ClientConfig,
  user: string,
  password: string,
): pg.ClientConfig {
  if (address === undefined) return { ...server, user, password }
  return {
    ...server,
    connectionString: `${address}${address.includes('?') ? '&' : '?'}user=${user}&password=${password}`,
  }
}

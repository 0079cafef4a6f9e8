import { chmod, chown, readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EmbeddedError } from './error.ts'

/** Account that runs the database server and owns its files. */
export type ServerAccount = { name: string; uid: number; gid: number }

const DEFAULT_ACCOUNTS = ['postgres', '_postgres', 'nobody']

/** Returns options of `spawn` and similar functions to run as an account; none for our own. */
export const idsOf = (account: ServerAccount | undefined): { uid?: number; gid?: number } =>
  account ? { uid: account.uid, gid: account.gid } : {}

export const isRoot = (): boolean => process.geteuid?.() === 0

/**
 * Returns another account to run the server, since PostgreSQL refuses to run as root: the owner of `dataDir`, else
 * `postgres`, else `nobody`. Returns undefined if this process isn't root: the server then runs as the same user.
 */
export async function serverAccount(dataDir: string): Promise<ServerAccount | undefined> {
  if (!isRoot()) return undefined
  const { uid } = await stat(dataDir)
  const accounts = await listUnprivilegedAccounts()
  const owner = accounts.find((account) => account.uid === uid)
  const defaultAccounts = DEFAULT_ACCOUNTS.map((name) => accounts.find((account) => account.name === name))
  const account = owner ?? defaultAccounts.find((one) => one !== undefined)
  if (account) return account
  throw new EmbeddedError(
    'PostgreSQL refuses to run as root, and this system has no user "postgres" or "nobody": ' +
      'start the service as another user, or set DATABASE_URL.',
  )
}

/** Returns the account that owns an existing cluster; undefined if it is our own. */
export async function ownerOf(folder: string): Promise<ServerAccount | undefined> {
  const { uid, gid } = await stat(folder)
  if (process.geteuid === undefined) return undefined
  if (isRoot() && uid !== 0) return { name: `uid ${uid}`, uid, gid }
  if (!isRoot() && uid === process.geteuid()) return undefined
  throw new EmbeddedError(
    isRoot()
      ? `The database in ${folder} belongs to root, and PostgreSQL refuses to run as root: ` +
          `give it another owner (chown -R).`
      : `The database in ${folder} belongs to user id ${uid}: start the service as that user or as root.`,
  )
}

/** Checks whether the account may enter every folder down to `path`, and enter or execute `path` itself. */
export async function isOpenTo(path: string, account: ServerAccount): Promise<boolean> {
  for (let at = await realpath(path); ; at = dirname(at)) {
    const { uid, gid, mode } = await stat(at)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** Lets the account pass through a folder that only root can enter. Other accounts still can't. */
export async function allowAccess(account: ServerAccount, folder: string): Promise<void> {
  const { uid, mode } = await stat(folder)
  if (uid !== 0 || (mode & 0o077) !== 0) return
  await chown(folder, uid, account.gid)
  await chmod(folder, 0o710)
}

async function listUnprivilegedAccounts(): Promise<ServerAccount[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return lines
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid >= 0)
}

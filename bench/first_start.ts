import { mkdtemp, rename, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeEmbedded } from '../src/platform/db/embedded/remove.ts'
import { findMigrations } from '../src/platform/db/migrations/migrate.ts'
import { prepareDatabase, preparedFile } from '../src/platform/db/migrations/prepare.ts'
import { freePort } from '../test/harness/web_client.ts'
import { startProcess } from './restart.ts'

// node bench/first_start.ts: milliseconds until the service answers on a new DATA_DIR, with the database that npm prepares
// and without it, in turns.
const ROUNDS = 7
const CALLOUT = fileURLToPath(new URL('../bin/callout', import.meta.url))

const file = await preparedFile(await findMigrations())
await stat(file).catch(() => prepareDatabase())
// Removed at the end: ext4 takes several times as long for new files while it has just removed many.
const dataDirs: string[] = []
const times = { prepared: [] as number[], without: [] as number[] }
for (let round = 0; round <= ROUNDS; round++) {
  const turns = ['prepared', 'without'] as const
  for (const contender of round % 2 === 0 ? turns : turns.toReversed()) {
    const ms = contender === 'prepared' ? await firstStart() : await withoutFile(firstStart)
    if (round > 0) times[contender].push(ms)
  }
}
for (const dataDir of dataDirs) await removeEmbedded(dataDir)
const [prepared, without] = [median(times.prepared), median(times.without)]
console.log(`prepared ${prepared} ms, without ${without} ms, ratio ${(prepared / without).toFixed(2)}`)

async function firstStart(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-first-'))
  dataDirs.push(dataDir)
  const port = String(await freePort())
  const since = performance.now()
  const { stop } = await startProcess(CALLOUT, ['serve'], {
    DATA_DIR: dataDir,
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    NODE_ENV: 'production',
    DATABASE_URL: '',
    STOP_DELAY: '0',
  })
  const ms = performance.now() - since
  await stop()
  return ms
}

async function withoutFile(work: () => Promise<number>): Promise<number> {
  const aside = `${file}.aside`
  await rename(file, aside)
  try {
    return await work()
  } finally {
    await rename(aside, file)
  }
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!)
}

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { directoryFinding } from './directory.ts'
import { sayPhrase } from '../../platform/i18n/phrase.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-doctor-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('the directory check creates a missing directory, passes and leaves nothing in it', async () => {
  const made = join(folder, 'new', 'data')
  assert.equal((await directoryFinding(made)).ok, true)
  assert.deepEqual(await readdir(made), [])
})

test('the directory check fails for a path below a file and names DATA_DIR', async () => {
  await writeFile(join(folder, 'file'), '')
  const { ok, mend } = await directoryFinding(join(folder, 'file', 'data'))
  assert.equal(ok, false)
  assert.match(sayPhrase(mend ?? ''), /DATA_DIR/)
})

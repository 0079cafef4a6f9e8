import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ClientConfig } from 'pg'
import { takeBackup } from '../../src/backup/archive/take.ts'
import { removeMember } from '../../src/identity/people/people.ts'
import { openStorage } from '../../src/platform/storage/open_storage.ts'
import { addressOf } from '../harness/address.ts'
import { makeEmptyDatabase, type EmptyDatabase } from '../harness/database/empty_database.ts'
import type { TestService } from '../harness/harness.ts'
import { openOffice, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { tablesWith } from './searching.ts'

const program = fileURLToPath(new URL('../../bin/callout', import.meta.url))
const [ADA, TWIN, LEO, BEN] = ['zqadaqz', 'zqtwinqz', 'zqleoqz', 'zqbenqz']

let service: TestService
let directory: string
let office: Office
let backup: string
let later: string
let ada: string
let leo: string
const targets: EmptyDatabase[] = []
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'callout-restored-'))
  service = await startSite({ DATA_DIR: directory })
  office = await openOffice(service, 'Alder Plumbing')
  ada = (await office.customer(ADA, { email: `${ADA}@example.com` }))['id'] as string
  const twin = (await office.customer(TWIN))['id'] as string
  await office.customer(BEN)
  const member = await office.join('office', { email: `${LEO}@example.com` })
  leo = member.user_id
  const storage = openStorage(service.config.storage)
  backup = join(directory, 'before.tar.gz')
  await takeBackup(service.owner, storage, backup)
  // The duplicate is merged after the backup, so the backup has two customers.
  await office.call('notes_create', { subject_type: 'customer', subject_id: twin, body: `About ${TWIN}` })
  await submit(
    office.browser,
    `${office.at('customers', twin, 'merge')}?with=${ada}`,
    { keep: ada },
    office.at('customers', twin, 'merge'),
  )
  const page = office.at('customers', ada, 'data')
  assert.equal((await submit(office.browser, page, { name: ADA }, `${page}/erase`)).status, 303)
  await removeMember(service.database, { tenant: office.id }, leo, { user: office.owner.user_id })
  const data = office.at('settings', 'members', leo, 'data')
  assert.equal((await submit(office.browser, data, { name: 'Leo Park' }, `${data}/erase`)).status, 303)
  later = join(directory, 'after.tar.gz')
  await takeBackup(service.owner, storage, later)
})
after(async () => {
  for (const target of targets) await target.drop()
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

async function callout(owner: ClientConfig, dataDir: string, ...typed: string[]) {
  const child = spawn(process.execPath, [program, ...typed, '--json'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: addressOf(owner), DATA_DIR: dataDir },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
  const [code] = (await once(child, 'close')) as [number]
  assert.deepEqual([code, err], [0, ''], typed.join(' '))
  return JSON.parse(out)
}

async function target(): Promise<EmptyDatabase> {
  const made = await makeEmptyDatabase()
  targets.push(made)
  return made
}

describe('restoring a backup from before an erasure', () => {
  it('applies the erasures listed in storage', async () => {
    const { owner } = await target()
    const restored = await callout(owner, directory, 'restore', '--from', backup)
    assert.deepEqual(
      restored.erasures.map(({ kind, outcome }: { kind: string; outcome: string }) => [kind, outcome]).sort(),
      [
        ['customer', 'erased'],
        ['customer', 'erased'],
        ['member', 'erased'],
      ],
    )
    assert.deepEqual(await tablesWith(owner, [ADA, TWIN, LEO]), [])
    assert.ok((await tablesWith(owner, [BEN])).length > 2)
    const again = await callout(owner, directory, 'erasures', 'apply')
    assert.ok(again.every(({ outcome }: { outcome: string }) => outcome === 'known'))
  })

  it('applies the erasures from a list file on another data directory', async () => {
    const list = join(directory, 'erased.jsonl')
    const listed = await callout(service.owner, directory, 'erasures', 'list', '--to', list)
    assert.deepEqual(new Set(listed.map(({ subject }: { subject: string }) => subject)).size, 3)
    const text = await readFile(list, 'utf8')
    assert.ok(text.includes(ada) && text.includes(leo))
    for (const word of [ADA, TWIN, LEO, 'Leo']) assert.ok(!text.includes(word), word)
    const elsewhere = await mkdtemp(join(tmpdir(), 'callout-elsewhere-'))
    try {
      const { owner } = await target()
      const bare = await callout(owner, elsewhere, 'restore', '--from', backup, '--erasures', list)
      assert.equal(bare.erasures.length, 3)
      assert.deepEqual(await tablesWith(owner, [ADA, TWIN, LEO]), [])
      // The new data directory now lists the applied erasures.
      const second = await target()
      const next = await callout(second.owner, elsewhere, 'restore', '--from', backup)
      assert.equal(next.erasures.length, 3)
      assert.deepEqual(await tablesWith(second.owner, [ADA, TWIN, LEO]), [])
    } finally {
      await rm(elsewhere, { recursive: true, force: true })
    }
  })

  it('restores erased people if there is no list, and erases them once a list is applied', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'callout-unknowing-'))
    try {
      const { owner } = await target()
      assert.deepEqual((await callout(owner, elsewhere, 'restore', '--from', backup)).erasures, [])
      assert.ok((await tablesWith(owner, [ADA])).length > 2)
      const list = join(directory, 'second.jsonl')
      await callout(service.owner, directory, 'erasures', 'list', '--to', list)
      await callout(owner, elsewhere, 'erasures', 'apply', '--from', list)
      assert.deepEqual(await tablesWith(owner, [ADA, TWIN, LEO]), [])
    } finally {
      await rm(elsewhere, { recursive: true, force: true })
    }
  })
})

describe('restoring a backup from after an erasure', () => {
  it('reports the erasures as known and restores no erased data', async () => {
    const { owner } = await target()
    const place = await mkdtemp(join(tmpdir(), 'callout-later-'))
    await cp(join(directory, 'files'), join(place, 'files'), { recursive: true })
    const restored = await callout(owner, place, 'restore', '--from', later)
    assert.ok(restored.erasures.every(({ outcome }: { outcome: string }) => outcome === 'known'))
    assert.deepEqual(await tablesWith(owner, [ADA, TWIN, LEO]), [])
    await rm(place, { recursive: true, force: true })
  })
})

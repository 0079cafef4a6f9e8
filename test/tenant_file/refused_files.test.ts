import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import { createGzip } from 'node:zlib'
import { END_BLOCKS, blocksOf, type ArchiveEntry } from '../../src/backup/archive/tar.ts'
import { readFileManifest } from '../../src/cli/tenant_file/import.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'
import { editing, inJson, renaming, rowsOf } from './forging.ts'
import { assertRefused, writeChangedCopy, readEntries, openMoveScene, updateTotals, type Moving } from './move_scene.ts'

let moving: Moving
let witness: Witness
let path: string
before(async () => {
  moving = await openMoveScene()
  witness = await openWitness(moving.into)
  path = await moving.exported()
})
after(async () => {
  await witness.close()
  await moving.close()
})

const assertFileRefused = (file: string, says: RegExp): Promise<void> => assertRefused(moving, witness, file, says)

describe('importing a company rejects, and keeps nothing of,', () => {
  const FIRST = /^callout-company/
  const LAST = /^end/
  const damages: [what: string, change: (entries: ArchiveEntry[]) => ArchiveEntry[], says: RegExp][] = [
    ['another kind of file', renaming(FIRST, () => 'callout-backup.json'), /not a company's file/],
    [
      'another format',
      editing(
        FIRST,
        inJson((value) => Object.assign(value, { format: 2 })),
      ),
      /in another format/,
    ],
    [
      'a field that is not known',
      editing(
        FIRST,
        inJson((value) => Object.assign(value, { more: 1 })),
      ),
      /in another format/,
    ],
    [
      'a newer schema',
      editing(
        FIRST,
        inJson((value) => value.migrations.push({ name: '999_later', checksum: 'a' })),
      ),
      /with another schema; upgrade both installations to the same version/,
    ],
    [
      'an older schema',
      editing(
        FIRST,
        inJson((value) => value.migrations.pop()),
      ),
      /with another schema/,
    ],
    [
      'other columns',
      editing(
        FIRST,
        inJson((value) => value.tables['customers']!.pop()),
      ),
      /its tables don't match its schema/,
    ],
    ['no end', (entries) => entries.slice(0, -1), /it is truncated/],
    ['something after its end', (entries) => [...entries, entries.at(-2)!], /data after its end/],
    ['a table left out', (entries) => entries.filter(({ name }) => !name.startsWith('tables/jobs/')), /0 rows of jobs/],
    [
      'a row twice',
      (entries) => entries.flatMap((entry) => (entry.name.startsWith('tables/tags/') ? [entry, entry] : [entry])),
      /rows of tags and should have/,
    ],
    [
      'a changed row',
      editing(/^tables\/tags\//, (text) => text.replace('Carried', 'Changed')),
      /rows of tags were changed/,
    ],
    [
      'accounts after other rows',
      (entries) => [entries[0]!, ...entries.slice(1, -1).toReversed(), entries.at(-1)!],
      /\w/,
    ],
    ['a row without an end', editing(/^tables\/tags\//, (text) => text.slice(0, -1)), /a row without an end/],
    ['rows that are no text', editing(/^tables\/tags\//, (text) => `\0${text}`), /rows that aren't text/],
    ['rows that end early', editing(/^tables\/tags\//, (text) => `\\.\n${text}`), /\w/],
    [
      'a value of another type',
      editing(/^tables\/tags\//, (text) => text.replace(/^[^\t]+/, 'none')),
      /invalid input syntax/,
    ],
    [
      'rows of a table that is not carried',
      renaming(/^tables\/tags\//, () => 'tables/key_hashes/000001.copy'),
      /rows of key_hashes/,
    ],
    ['a changed file', editing(/^files\//, (text) => text.replace('bytes', 'Bytes')), /its file \S+ was changed/],
    [
      'a file left out',
      (entries) => entries.filter(({ name }) => !name.startsWith('files/')),
      /0 files and should have 1/,
    ],
    [
      'a file left out and not counted',
      (entries) =>
        editing(
          LAST,
          inJson((value) => Object.assign(value, { files: 0 })),
        )(entries.filter(({ name }) => !name.startsWith('files/'))),
      /it lacks the file \S+, which a row refers to/,
    ],
    [
      'a file that no row names',
      renaming(/^files\//, (name) => name.replace(/[0-9a-f]{12}(?=\/[0-9a-f]{64}$)/, '000000000000')),
      /that no row refers to/,
    ],
    [
      "another company's file",
      renaming(/^files\//, (name) => name.replace(/files\/[^/]+/, `files/${newId()}`)),
      /an unknown entry/,
    ],
    [
      'a name that leads out',
      renaming(/^files\//, () => 'files/../../etc/passwd'),
      /an unknown entry, "files\/\.\.\/\.\./,
    ],
    ['a name that begins at the root', renaming(/^files\//, () => '/etc/passwd'), /an unknown entry/],
    [
      'the id of another company in its rows',
      editing(/^tables\/tags\//, (text) => text.replaceAll(/^[^\t]+/gm, newId())),
      /rows of tags were changed/,
    ],
  ]
  for (const [what, change, says] of damages)
    it(what, async () => assertFileRefused(await writeChangedCopy(path, moving.newPath(), change), says))

  it('a missing file, a directory, a text file and a truncated file', async () => {
    await assertFileRefused(join(moving.folder, 'nowhere'), /there is no such file/)
    await assert.rejects(readFileManifest(moving.folder), /it is a directory/)
    await writeFile(join(moving.folder, 'text'), 'select 1')
    await assertFileRefused(join(moving.folder, 'text'), /not a backup, or was changed/)
    const whole = await readFile(path)
    for (const part of [0.1, 0.5, 0.9, 0.999]) {
      const cut = moving.newPath()
      await writeFile(cut, whole.subarray(0, Math.floor(whole.length * part)))
      await assertFileRefused(cut, /it is truncated/)
    }
  })

  it('a decompression bomb', async () => {
    const bomb = moving.newPath()
    const [first] = await readEntries(path)
    async function* blocks() {
      yield* blocksOf(first!)
      yield* blocksOf({ name: 'tables/tags/000001.copy', bytes: Buffer.alloc(100 * 2 ** 20, 'a') })
      yield END_BLOCKS
    }
    await pipeline(blocks(), createGzip(), createWriteStream(bomb))
    assert.ok((await stat(bomb)).size < 200_000)
    await assertFileRefused(bomb, /unpacks to more than 200 times its size/)
  })
})

describe('a forged file with correct checksums', () => {
  const forgeFile = async (change: (entries: ArchiveEntry[]) => ArchiveEntry[]): Promise<string> =>
    writeChangedCopy(await moving.exported(), moving.newPath(), change)

  it("is rejected if a row's storage key points outside the company's folder", async () => {
    const other = await makeCompany(moving.into)
    const theirs = `${other.tenant}/${newId()}/${newId()}`
    await moving.into.storage.save(theirs, Buffer.from('theirs'), 'application/pdf')
    for (const key of [
      theirs,
      `${moving.company.tenant}/../${theirs}`,
      `${moving.company.tenant}/${theirs}`,
      '/etc/passwd',
    ])
      await assertFileRefused(
        await forgeFile((entries) =>
          rowsOf('attachments', (row) => ({ ...row, storage_key: key }))(
            entries.filter(({ name }) => !name.startsWith('files/')),
          ),
        ),
        /rows of attachments that refer to a file outside the company/,
      )
    assert.ok(await moving.into.storage.get(theirs))
  })

  it('is rejected if it has rows of file_removals', async () => {
    const removals = (entries: ArchiveEntry[]): ArchiveEntry[] => [
      ...entries.slice(0, -1),
      { name: 'tables/file_removals/000001.copy', bytes: Buffer.from('') },
      entries.at(-1)!,
    ]
    await assertFileRefused(await forgeFile(removals), /rows of file_removals, a table that isn't in its schema/)
  })

  it("is rejected without its company's row, or with another company's", async () => {
    await assertFileRefused(
      await forgeFile(rowsOf('tenants', () => undefined)),
      /0 rows of its company and should have 1/,
    )
    await assertFileRefused(
      await forgeFile(rowsOf('tenants', (row) => ({ ...row, id: newId() }))),
      /another company's rows of tenants/,
    )
    assert.equal(
      await witness.value('select count(*)::int from frozen_companies where tenant_id = $1', moving.company.tenant),
      0,
    )
  })

  it("is rejected if a row references an account that isn't in the file", async () => {
    const victim = await makeCompany(moving.into)
    const member = rowsOf('members', (row) => ({ ...row, user_id: victim.owner.id }))
    await assertFileRefused(await forgeFile(member), /account/)
    for (const [table, column] of [
      ['jobs', 'created_by'],
      ['notes', 'created_by'],
      ['audit', 'user_id'],
    ] as const)
      await assertFileRefused(
        await forgeFile(rowsOf(table, (row) => ({ ...row, [column]: victim.owner.id }))),
        new RegExp(`rows of ${table} whose ${column} is an account missing from the file`),
      )
    await assertFileRefused(
      await forgeFile(rowsOf('jobs', (row) => ({ ...row, assignee_ids: `{${victim.owner.id}}` }))),
      /rows of jobs whose assignee_ids is an account/,
    )
  })

  it('is rejected if its journal has an invalid kind or key, or references an account here', async () => {
    const victim = await makeCompany(moving.into)
    for (const change of [
      { kind: 'job_media' },
      { kind: 'members' },
      { kind: `tags, lateral (select set_config('app.tenant_id', '${victim.tenant}', true)) x` },
      { key: `${newId()}:${newId()}:${newId()}` },
      { key: "x') or true --" },
    ])
      await assertFileRefused(
        await forgeFile(rowsOf('journal', (row) => ({ ...row, ...change }))),
        /journal rows that no change/,
      )
    for (const id of [victim.owner.id, victim.owner.id.toUpperCase(), victim.owner.id.replaceAll('-', '')])
      await assertFileRefused(
        await forgeFile(rowsOf('journal', (row) => ({ ...row, image: JSON.stringify({ assignee_ids: [id] }) }))),
        /journal rows whose image refers to an account/,
      )
  })

  it("is rejected with an account that isn't a member", async () => {
    const spare = (entries: ArchiveEntry[]): ArchiveEntry[] => {
      let extra = ''
      rowsOf('users', (row) => {
        extra = Object.values({ ...row, id: newId(), email: 'spare@example.com' }).join('\t')
        return row
      })(entries)
      return updateTotals(
        entries.map((entry) =>
          entry.name.startsWith('tables/users/')
            ? { ...entry, bytes: Buffer.from(`${entry.bytes.toString('latin1')}${extra}\n`, 'latin1') }
            : entry,
        ),
      )
    }
    await assertFileRefused(await forgeFile(spare), /an account that isn't a member of its company/)
  })
})

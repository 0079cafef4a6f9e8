import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import { createGzip } from 'node:zlib'
import { Client } from 'pg'
import pino from 'pino'
import { writeArchive, readArchive } from '../../src/cli/backup/archive.ts'
import { bringBack, manifestOf } from '../../src/cli/backup/bring_back.ts'
import { takeBackup } from '../../src/cli/backup/take.ts'
import { END, blocksOf, wholeOf, type ArchiveEntry } from '../../src/cli/backup/tar.ts'
import type { SchemaStep } from '../../src/db/baseline.ts'
import { openDatabase } from '../../src/db/database.ts'
import { loginOf } from '../../src/db/login.ts'
import { layOut, migrate } from '../../src/db/migrate.ts'
import { sql, writeTenant } from '../../src/db/tenant.ts'
import { openStorage } from '../../src/files/open_storage.ts'
import type { Storage } from '../../src/files/storage.ts'
import { startService } from '../../src/service.ts'
import { newId } from '../../src/shape/id.ts'
import { KEYS, REGION, startBucket } from '../harness/bucket.ts'
import { makeEmptyDatabase, type EmptyDatabase } from '../harness/empty_database.ts'
import { makeRecords } from '../harness/every_tool.ts'
import {
  callerOf,
  makeCompany,
  makeDatabase,
  startTestService,
  type Company,
  type TestService,
} from '../harness/harness.ts'
import { openWitness } from '../harness/witness.ts'

let folder: string
let service: TestService
let company: Company
let customer: string
let files: Storage
let key: string
let backup: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-backup-'))
  service = await startTestService()
  company = await makeCompany(service)
  ;({ customer } = await makeRecords(company, 'Kept'))
  await makeRecords(await makeCompany(service), 'Other')
  files = openStorage({ kind: 'directory', directory: join(folder, 'files') })
  key = await receive(files)
  backup = join(folder, 'kept.tar.gz')
  await takeBackup(service.owner, files, backup)
})
after(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

const BYTES = randomBytes(200_000)

/** Two messages whose text is everything that could be misread, the one's file in storage, the other's still in the database. */
async function receive(storage: Storage): Promise<string> {
  const [stored, spooled] = [newId(), newId()]
  const key = `${company.tenant}/${stored}/${stored}`
  await storage.put(key, BYTES, 'application/pdf')
  await writeTenant(service.database, { tenant: company.tenant }, async (db) => {
    for (const [id, state] of [
      [stored, 'stored'],
      [spooled, 'pending'],
    ] as const) {
      await db.run(sql`insert into communications (tenant_id, id, channel, direction, status, provider, sender, sender_address, recipients, customer_id, subject, body)
        values (${db.tenant}, ${id}, 'email', 'inbound', 'received', 'email', 'Ana "A" <ana@example.com>', 'ana@example.com', ${['a,b', '"{}"', '\\N', '']},
          ${customer}, ${'\\N'}, ${'tab\tline\nreturn\rback\\slash \\.\n\\.\né😀\u{7f}'})`)
      await db.run(sql`insert into attachments (tenant_id, id, communication_id, position, file_name, content_type, size_bytes, state, storage_key, stored_at)
        values (${db.tenant}, ${id}, ${id}, 0, 'a.pdf', 'application/pdf', ${BYTES.length}, ${state}, ${state === 'stored' ? key : null}, ${state === 'stored' ? '2026-01-02T03:04:05.678Z' : null})`)
    }
    await db.run(
      sql`insert into attachment_spool (tenant_id, attachment_id, bytes) values (${db.tenant}, ${spooled}, ${BYTES})`,
    )
  })
  return key
}

async function digestOf(database: Pick<EmptyDatabase, 'owner'>) {
  const witness = await openWitness(database)
  try {
    return {
      rows: await witness.digest(),
      steps: await witness.rows('select name, checksum from migrations order by name'),
    }
  } finally {
    await witness.close()
  }
}

/** Rows by table, without those that the service writes at its own time. */
const counted = ({ tool_uses: _, ...rows }: Record<string, number>): Record<string, number> => rows

const directory = (name: string): Storage => openStorage({ kind: 'directory', directory: join(folder, name) })

async function read(storage: Storage, from = key): Promise<Buffer | undefined> {
  const stream = await storage.get(from)
  return stream && Buffer.from(await new Response(stream).arrayBuffer())
}

/** Has a database without a schema for a while. */
async function withEmpty(use: (empty: EmptyDatabase) => Promise<void>, { ordinary = false } = {}): Promise<void> {
  const empty = await makeEmptyDatabase({ ordinary })
  try {
    await use(empty)
  } finally {
    await empty.drop()
  }
}

async function inside(path: string): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for await (const entry of readArchive(path)) entries.push({ name: entry.name, bytes: await wholeOf(entry, Infinity) })
  return entries
}

/** A copy of the backup with its entries changed. */
async function changed(name: string, change: (entries: ArchiveEntry[]) => ArchiveEntry[]): Promise<string> {
  const path = join(folder, name)
  const entries = change(await inside(backup))
  await writeArchive(path, async (add) => {
    for (const entry of entries) await add(entry)
  })
  return path
}

const editing =
  (which: string, edit: (value: never) => void) =>
  (entries: ArchiveEntry[]): ArchiveEntry[] =>
    entries.map((entry) => {
      if (entry.name !== which) return entry
      const value = JSON.parse(entry.bytes.toString()) as never
      edit(value)
      return { ...entry, bytes: Buffer.from(JSON.stringify(value)) }
    })

describe('a backup', () => {
  it('brought back has every row, file and step of the schema, and the service answers with the same key', () =>
    withEmpty(async (empty) => {
      const storage = directory('restored')
      const { rows, files: count, missing, migrated } = await bringBack(empty.owner, storage, backup)
      assert.deepEqual(await digestOf(empty), await digestOf(service))
      assert.deepEqual([rows['tenants'], rows['communications'], count, missing, migrated], [2, 2, 1, [], []])
      assert.ok((await read(storage))!.equals(BYTES))
      const database = openDatabase(await loginOf(empty.owner))
      const restored = await startService({ ...service.config, port: 0 }, database, pino({ level: 'silent' }), null)
      try {
        const { call } = callerOf(`http://127.0.0.1:${restored.port}/api/mcp`, company.owner.key)
        assert.deepEqual(
          await call('customers_get', { id: customer }),
          await company.call('customers_get', { id: customer }),
        )
        assert.equal((await call('jobs_list', { title: 'kept job' })).rows.length, 1)
        assert.equal((await call('notes_create', { body: 'New' }))['body'], 'New')
      } finally {
        await restored.stop(0)
        await database.close()
      }
    }))

  it('leaves references, triggers, policies and what refusals say as the schema has them', () =>
    withEmpty(async (empty) => {
      await bringBack(empty.owner, directory('schema'), backup)
      const schemaOf = async (of: Pick<EmptyDatabase, 'owner'>) => {
        const witness = await openWitness(of)
        const parts = [
          `select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as is, convalidated, obj_description(oid, 'pg_constraint') as says from pg_constraint
          where connamespace = 'public'::regnamespace order by 1, 2`,
          `select tgrelid::regclass::text as of, tgname, tgenabled, pg_get_triggerdef(oid) as is from pg_trigger where not tgisinternal order by 1, 2`,
          `select relname, relrowsecurity, relforcerowsecurity, relacl::text from pg_class where relnamespace = 'public'::regnamespace order by 1`,
          `select tablename, policyname, qual, with_check from pg_policies order by 1, 2`,
          `select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
        ]
        const found = []
        for (const part of parts) found.push(await witness.rows(part))
        await witness.close()
        return found
      }
      assert.deepEqual(await schemaOf(empty), await schemaOf(service))
    }))

  it('of and into a database whose owner is an ordinary role is as whole', () =>
    withEmpty(
      async (first) => {
        await bringBack(first.owner, directory('first'), backup)
        const again = join(folder, 'again.tar.gz')
        const { rows } = await takeBackup(first.owner, directory('first'), again)
        const { rows: same } = await takeBackup(service.owner, files, join(folder, 'same.tar.gz'))
        assert.deepEqual(counted(rows), counted(same))
        await withEmpty(
          async (second) => {
            await bringBack(second.owner, directory('second'), again)
            const superuser = { owner: { ...service.owner, database: second.owner.database } }
            assert.deepEqual(await digestOf(superuser), await digestOf(service))
          },
          { ordinary: true },
        )
      },
      { ordinary: true },
    ))

  it('takes files from a bucket, and brings them to one with their types', () =>
    withEmpty(async (empty) => {
      const bucket = await startBucket()
      try {
        const inBucket = (prefix: string): Storage =>
          openStorage({
            kind: 'bucket',
            endpoint: bucket.endpoint,
            bucket: 'files',
            prefix,
            region: REGION,
            ...KEYS,
            sessionToken: null,
          })
        await inBucket('old').put(key, BYTES, 'application/pdf')
        const path = join(folder, 'bucket.tar.gz')
        await takeBackup(service.owner, inBucket('old'), path)
        await bringBack(empty.owner, inBucket('new'), path)
        assert.deepEqual(bucket.objects.get(`/files/new/${key}`), { type: 'application/pdf', bytes: BYTES })
      } finally {
        await bucket.stop()
      }
    }))

  it('of a table of many megabytes has it in parts, each row whole', () =>
    withEmpty(async (empty) => {
      const large = await makeDatabase()
      try {
        await writeTenant(large.database, { tenant: company.tenant, options: { patient: true } }, async (db) => {
          await db.run(
            sql`insert into tenants (id, name, timezone, currency, country) values (${db.tenant}, 'Large', 'UTC', 'USD', 'US')`,
          )
          await db.run(
            sql`insert into notes (tenant_id, id, body, words) select ${db.tenant}, gen_random_uuid(), repeat(md5(n::text), n % 60), '' from generate_series(1, 14000) n`,
          )
        })
        const path = join(folder, 'large.tar.gz')
        await takeBackup(large.owner, files, path)
        const parts = (await inside(path)).filter(({ name }) => name.startsWith('tables/notes/'))
        assert.deepEqual(
          parts.map(({ name }) => name),
          [
            'tables/notes/000001.copy',
            'tables/notes/000002.copy',
            'tables/notes/000003.copy',
            'tables/notes/000004.copy',
          ],
        )
        assert.ok(parts.every(({ bytes }) => bytes.at(-1) === 0x0a))
        await bringBack(empty.owner, directory('large'), path)
        assert.deepEqual(await digestOf(empty), await digestOf(large))
      } finally {
        await large.drop()
      }
    }))

  it('shows one moment, whatever is written meanwhile', () =>
    withEmpty(async (empty) => {
      const { rows: before } = await digestOf(service)
      const path = join(folder, 'moment.tar.gz')
      const slow: Storage = {
        ...files,
        get: async (from) => {
          await company.call('notes_create', { body: 'Too late' })
          return files.get(from)
        },
      }
      await takeBackup(service.owner, slow, path)
      await bringBack(empty.owner, directory('moment'), path)
      assert.deepEqual((await digestOf(empty)).rows, before)
      assert.notDeepEqual((await digestOf(service)).rows, before)
    }))

  it('tells of files that storage does not have', () =>
    withEmpty(async (empty) => {
      const path = join(folder, 'lacking.tar.gz')
      assert.deepEqual((await takeBackup(service.owner, directory('nothing'), path)).missing, [key])
      const { missing, files: count } = await bringBack(empty.owner, directory('lacking'), path)
      assert.deepEqual([missing, count], [[key], 0])
    }))

  it('is for nobody else to read', async () => assert.equal((await stat(backup)).mode & 0o777, 0o600))

  it('keeps a file that storage has already', () =>
    withEmpty(async (empty) => {
      await bringBack(empty.owner, files, backup)
      assert.ok((await read(files))!.equals(BYTES))
    }))

  it('of an earlier version is brought to the present schema', () =>
    withEmpty((earlier) =>
      withEmpty(async (empty) => {
        const client = new Client(earlier.owner)
        await client.connect()
        await client.query('begin')
        await layOut(client, (await digestOf(service)).steps.slice(0, 12) as SchemaStep[])
        await client.query(
          `insert into tenants (id, name, timezone, currency, country) values ('${company.tenant}', 'Early', 'UTC', 'EUR', 'FR')`,
        )
        await client.query('commit')
        await client.end()
        const path = join(folder, 'earlier.tar.gz')
        await takeBackup(earlier.owner, files, path)
        const { migrated } = await bringBack(empty.owner, directory('earlier'), path)
        assert.equal(migrated.length, (await digestOf(service)).steps.length - 12)
        assert.deepEqual(await migrate(empty.owner), [])
        const witness = await openWitness(empty)
        assert.deepEqual(await witness.rows('select id, name from tenants'), [{ id: company.tenant, name: 'Early' }])
        await witness.close()
      }),
    ))
})

describe('refused', () => {
  /** That nothing came of it: no table, no file. */
  const nothing = async ({ owner }: EmptyDatabase, place: string): Promise<void> => {
    const witness = await openWitness({ owner })
    assert.deepEqual(await witness.rows(`select relname from pg_class where relnamespace = 'public'::regnamespace`), [])
    await witness.close()
    const left = await readdir(join(folder, place), { recursive: true, withFileTypes: true }).catch(() => [])
    assert.deepEqual(
      left.filter((entry) => entry.isFile()).map(({ name }) => name),
      [],
    )
  }

  const damages: [what: string, make: () => Promise<string>, says: RegExp][] = [
    ['a file that is not there', async () => join(folder, 'nowhere.tar.gz'), /: there is no such file$/],
    ['a directory', async () => folder, /: it is a directory$/],
    [
      'another file',
      async () => {
        await writeFile(join(folder, 'text'), 'select 1')
        return join(folder, 'text')
      },
      /: it is not a backup, or was changed$/,
    ],
    [
      'an empty file',
      async () => {
        await writeFile(join(folder, 'empty'), '')
        return join(folder, 'empty')
      },
      /: it ends too early$/,
    ],
    ['another archive', () => changed('other.tar.gz', (entries) => entries.slice(1)), /: it is not a backup$/],
    ['one without an end', () => changed('endless.tar.gz', (entries) => entries.slice(0, -1)), /: it ends too early$/],
    [
      'one with more after its end',
      () => changed('more.tar.gz', (entries) => [...entries, entries[1]!]),
      /: it has something after its end$/,
    ],
    [
      'one that lacks rows',
      () => changed('short.tar.gz', (entries) => entries.filter(({ name }) => !name.startsWith('tables/audit/'))),
      /: it has 0 rows of audit and should have \d+$/,
    ],
    [
      'one that lacks a file',
      () => changed('fileless.tar.gz', (entries) => entries.filter(({ name }) => !name.startsWith('files/'))),
      /: it has 0 files and should have 1$/,
    ],
    [
      'one with a file of nobody',
      () =>
        changed('stray.tar.gz', (entries) =>
          entries.map((entry) => (entry.name.startsWith('files/') ? { ...entry, name: `files/${newId()}` } : entry)),
        ),
      /: it has a file that no row names/,
    ],
    [
      'one with an entry that leads elsewhere',
      () =>
        changed('astray.tar.gz', (entries) =>
          entries.map((entry) => (entry.name.startsWith('files/') ? { ...entry, name: 'files/../../x' } : entry)),
        ),
      /: it has an entry of no known kind, files/,
    ],
    [
      'one with rows of another table',
      () =>
        changed('tables.tar.gz', (entries) =>
          entries.map((entry) =>
            entry.name.startsWith('tables/audit/') ? { ...entry, name: 'tables/pg_class/000001.copy' } : entry,
          ),
        ),
      /: it has rows of pg_class, which is no table of its schema$/,
    ],
    [
      'one of a row that points nowhere',
      () =>
        changed('orphans.tar.gz', (entries) =>
          editing('end.json', (value: { rows: Record<string, number> }) => {
            value.rows['users'] = 0
          })(entries.filter(({ name }) => !name.startsWith('tables/users/'))),
        ),
      /: insert or update on table "\w+" violates foreign key constraint/,
    ],
    [
      'one of a later version',
      () =>
        changed(
          'later.tar.gz',
          editing('callout-backup.json', (value: { migrations: object[] }) =>
            value.migrations.push({ name: '999_later', checksum: 'x' }),
          ),
        ),
      /: migration 999_later is not known here; update Callout first$/,
    ],
    [
      'one of another schema',
      () =>
        changed(
          'else.tar.gz',
          editing('callout-backup.json', (value: { migrations: { checksum: string }[] }) => {
            value.migrations[0]!.checksum = 'x'
          }),
        ),
      /: migration 001_tenants is another one here$/,
    ],
    [
      'one of another format',
      () =>
        changed(
          'format.tar.gz',
          editing('callout-backup.json', (value: { format: number }) => {
            value.format = 2
          }),
        ),
      /: it is a backup of another format$/,
    ],
  ]
  for (const [i, [what, make, says]] of damages.entries()) {
    it(`${what}: nothing is left of it`, () =>
      withEmpty(async (empty) => {
        const path = await make()
        await assert.rejects(
          bringBack(empty.owner, directory(`refused${i}`), path),
          (error: Error) => error.message.startsWith(`${path} was not restored: `) && says.test(error.message),
        )
        await nothing(empty, `refused${i}`)
      }))
  }

  /** An archive that begins as a whole one does, and goes on with an entry of so many zeros; with no name, they stand after its end. */
  async function bomb(before: number, name: string, mib: number): Promise<string> {
    const path = join(folder, 'bomb.tar.gz')
    const zeros = Buffer.alloc(2 ** 20)
    await pipeline(
      async function* () {
        for (const entry of (await inside(backup)).slice(0, before)) yield* blocksOf(entry)
        yield name === '' ? END : blocksOf({ name, bytes: { length: mib * 2 ** 20 } as Buffer })[0]
        for (let i = 0; i < mib; i++) yield zeros
        if (name !== '') yield END
      },
      createGzip({ level: 1 }),
      createWriteStream(path),
    )
    return path
  }

  for (const [what, before, name, says] of [
    [
      'in its first entry',
      0,
      'callout-backup.json',
      /: its entry callout-backup\.json has 209715200 bytes, where 16777216 are the most$/,
    ],
    ['in an entry of no kind', 1, 'x', /: it has an entry of no known kind, x$/],
    ['in a table', 1, 'tables/audit/000001.copy', /: it has rows that are no text$/],
    [
      'in a file of nobody',
      1,
      `files/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`,
      /: it has a file that no row names/,
    ],
    ['at its end', 1, 'end.json', /: its entry end\.json has 209715200 bytes/],
    ['after its end', 1, '', /: it has something after its end$/],
  ] as const) {
    it(`one that swells ${what}, in little memory`, () =>
      withEmpty(async (empty) => {
        const path = await bomb(before, name, 200)
        const begun = process.memoryUsage().arrayBuffers
        let most = 0
        const watching = setInterval(() => {
          most = Math.max(most, process.memoryUsage().arrayBuffers - begun)
        }, 1)
        await assert.rejects(
          bringBack(empty.owner, directory('bomb'), path),
          (error: Error) => error.message.startsWith(`${path} was not restored: `) && says.test(error.message),
        )
        clearInterval(watching)
        assert.ok(most < 64 * 2 ** 20, `${most} bytes`)
        await nothing(empty, 'bomb')
      }))
  }

  it('one that is cut off anywhere, or has a bit turned: nothing is left of it', () =>
    withEmpty(async (empty) => {
      const whole = await readFile(backup)
      const path = join(folder, 'damaged.tar.gz')
      for (const part of [0.01, 0.5, 0.99, 0.99999]) {
        await writeFile(path, whole.subarray(0, Math.floor(whole.length * part)))
        await assert.rejects(bringBack(empty.owner, directory('damaged'), path), /it ends too early$/)
        const bent = Buffer.from(whole)
        bent[Math.floor(whole.length * part)]! ^= 4
        await writeFile(path, bent)
        await assert.rejects(bringBack(empty.owner, directory('damaged'), path), /was not restored: /)
      }
      await nothing(empty, 'damaged')
    }))

  it('a database that is not empty, and it stays as it was', async () => {
    const before = await digestOf(service)
    await assert.rejects(
      bringBack(service.owner, directory('taken'), backup),
      /was not restored: the database is not empty; set DATABASE_URL or DATA_DIR to a new one$/,
    )
    assert.deepEqual(await digestOf(service), before)
  })

  it('storage that has another file under a key, and that file stays', () =>
    withEmpty(async (empty) => {
      await directory('occupied').put(key, Buffer.from('another'), 'text/plain')
      await assert.rejects(
        bringBack(empty.owner, directory('occupied'), backup),
        /storage has another file as .* already/,
      )
      assert.equal((await read(directory('occupied')))!.toString(), 'another')
    }))

  it('storage that fails: rows and files go again', () =>
    withEmpty(async (empty) => {
      const failing: Storage = {
        ...directory('failing'),
        put: async (to, bytes, type) => {
          await directory('failing').put(to, bytes, type)
          throw new Error('no room')
        },
      }
      await assert.rejects(bringBack(empty.owner, failing, backup), /was not restored: no room$/)
      await nothing(empty, 'failing')
    }))

  it('a backup to a file that is there, to nowhere, or of a database without a schema', () =>
    withEmpty(async (empty) => {
      const before = await readFile(backup)
      await assert.rejects(takeBackup(service.owner, files, backup), /exists already; name another file$/)
      assert.ok(before.equals(await readFile(backup)))
      await assert.rejects(
        takeBackup(service.owner, files, join(folder, 'no', 'where')),
        /The directory .* does not exist$/,
      )
      await assert.rejects(takeBackup(empty.owner, files, join(folder, 'none')), /has no schema yet/)
    }))

  it('a backup whose storage fails leaves no file', async () => {
    const path = join(folder, 'failed.tar.gz')
    await assert.rejects(
      takeBackup(service.owner, { ...files, get: () => Promise.reject(new Error('unreachable')) }, path),
      /unreachable/,
    )
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('failed')),
      [],
    )
  })

  it('is told from its first entry alone', async () => {
    assert.equal((await manifestOf(backup)).migrations[0]!.name, '001_tenants')
    await assert.rejects(manifestOf(join(folder, 'nowhere')), /nowhere was not restored: there is no such file$/)
  })
})

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { Client, type ClientConfig } from 'pg'
import type { SchemaStep } from '../../src/db/baseline.ts'

type OldStep = SchemaStep & { text: string }

/** The migrations from before the baseline, 001 to 176, as they stood in the last version that had them. */
export async function stepsBefore(): Promise<OldStep[]> {
  const packed = await readFile(new URL('../fixtures/schema_before.json.gz', import.meta.url))
  const steps = JSON.parse(gunzipSync(packed).toString('utf8')) as { name: string; text: string }[]
  return steps.map(({ name, text }) => ({ name, text, checksum: createHash('sha256').update(text).digest('hex') }))
}

/** Takes them in an empty database as that version did. */
export async function layOutBefore(owner: ClientConfig, steps: readonly OldStep[]): Promise<void> {
  const client = new Client(owner)
  await client.connect()
  try {
    await client.query(
      'create table migrations (name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())',
    )
    for (const { name, text, checksum } of steps) {
      await client.query(
        `begin; ${text}; grant select, insert, update, delete on all tables in schema public to callout_app; revoke all on migrations from callout_app`,
      )
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
      await client.query('commit')
    }
  } finally {
    await client.end()
  }
}

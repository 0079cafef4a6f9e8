import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { makeDatabase } from '../test/harness/harness.ts'
import { columnMeanings, leavingText } from './leaving.ts'
import { picture } from './architecture/picture.ts'
import { reference, snapshots } from './reference.ts'
import { schemaText } from './schema.ts'
import { settingsExample, settingsPage } from './settings.ts'

// npm run generate: rewrites the generated documents, snapshots/ and .env.example from the declarations, the settings,
// the imports and a migrated database.
const root = new URL('..', import.meta.url)
const folder = new URL('snapshots/', root)
await mkdir(folder, { recursive: true })
for (const name of await readdir(folder)) await rm(new URL(name, folder))
for (const [name, text] of snapshots()) await writeFile(new URL(name, folder), text)
await writeFile(new URL('docs/spec/tool_reference.md', root), reference())
await writeFile(new URL('docs/spec/archives.md', root), leavingText())
await writeFile(new URL('docs/spec/archive_columns.csv', root), columnMeanings())
await writeFile(new URL('docs/contributing/architecture.svg', root), await picture())
await writeFile(new URL('docs/operating/settings.md', root), settingsPage())
await writeFile(new URL('.env.example', root), settingsExample())
const { owner, drop } = await makeDatabase()
await writeFile(new URL('docs/schema.sql', root), await schemaText(owner))
await drop()

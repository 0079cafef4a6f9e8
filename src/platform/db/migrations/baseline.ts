import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { flawError } from './flaw.ts'

/** Name and checksum of a migration. Its text never changes once it has been applied somewhere. */
export type SchemaStep = { name: string; checksum: string }
export type Migration = SchemaStep & { text: string }

/**
 * Returns a hash of a schema's migrations. Schemas with the same mark have the same migrations, including their text.
 */
export const schemaHashOf = (steps: readonly SchemaStep[]): string =>
  createHash('sha256')
    .update(steps.map(({ name, checksum }) => `${name} ${checksum}`).join('\n'))
    .digest('hex')
    .slice(0, 16)

export const migrationOf = (name: string, text: string): Migration => ({
  name,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
})

/** Last migration of the baseline, which has one per folder. Later ones have one change each. */
const BASELINE = '093_customer_imports'

/** First migration from before the baseline, with its checksum. */
const FIRST_BEFORE = '001_tenants d10c205cfa3cdc377c13eca5635b4c740dec46defce8376c42aa97af99acb145'

/** Commit with all migrations from before the baseline, for schemas that had others among them. */
const LAST_BEFORE = { commit: '89b919e', name: '176_catalog_items_changed' }

/** Checks whether a database or a backup has migrations from before the baseline. */
export const isBeforeBaseline = (steps: readonly SchemaStep[]): boolean =>
  steps.some(({ name, checksum }) => `${name} ${checksum}` === FIRST_BEFORE)

/**
 * Returns the migrations from before the baseline, one per change, 001 to 176. They lead to the baseline's schema, so
 * only databases that stopped among them need them.
 */
export async function findMigrationsBefore(): Promise<Migration[]> {
  const compressed = await readFile(new URL('before_baseline.json.gz', import.meta.url))
  const steps: { name: string; text: string }[] = JSON.parse((await promisify(gunzip)(compressed)).toString('utf8'))
  return steps.map(({ name, text }) => migrationOf(name, text))
}

/** Returns the old migrations that a schema lacks. Throws if it has others, from a state between two releases. */
export async function missingBefore(steps: readonly SchemaStep[]): Promise<Migration[]> {
  const all = await findMigrationsBefore()
  if (schemaHashOf(steps) === schemaHashOf(all.slice(0, steps.length))) return all.slice(steps.length)
  const last = steps.at(-1)?.name ?? ''
  throw flawError({
    says: `The schema ends at ${last}, a state that no release had`,
    mend:
      `start it once with an intermediate release, commit ${LAST_BEFORE.commit} ` +
      `(git checkout ${LAST_BEFORE.commit} && npm ci && npm start), ` +
      `whose last step is ${LAST_BEFORE.name}; then start this one`,
  })
}

/** Returns the applied migrations under their current names. */
export const currentSteps = (steps: readonly SchemaStep[], present: readonly SchemaStep[]): readonly SchemaStep[] =>
  isBeforeBaseline(steps) ? present.filter(({ name }) => name <= BASELINE) : steps

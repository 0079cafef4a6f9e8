import { createHash } from 'node:crypto'
import { flawError } from './flaw.ts'

/** Migration. Its text never changes once it has been applied somewhere. */
export type SchemaStep = { name: string; checksum: string }

/**
 * Returns a hash of a schema's migrations. Schemas with the same mark have the same migrations, including their text.
 */
export const markOf = (steps: readonly SchemaStep[]): string =>
  createHash('sha256')
    .update(steps.map(({ name, checksum }) => `${name} ${checksum}`).join('\n'))
    .digest('hex')
    .slice(0, 16)

/** Last migration of the baseline, which has one per folder. Later ones have one change each. */
const BASELINE = '093_customer_imports'

/**
 * Migrations from before the baseline, one per change: the first, the last, and their mark. They led to the same
 * schema.
 */
const BEFORE = {
  first: { name: '001_tenants', checksum: 'd10c205cfa3cdc377c13eca5635b4c740dec46defce8376c42aa97af99acb145' },
  last: '176_catalog_items_changed',
  /** The last commit with these steps. */
  commit: '89b919e',
  mark: 'f009ad3e03199931',
}

/** Checks whether a database or a backup has migrations from before the baseline. */
export const isBeforeBaseline = (steps: readonly SchemaStep[]): boolean =>
  steps.some(({ name, checksum }) => name === BEFORE.first.name && checksum === BEFORE.first.checksum)

/** Returns the applied migrations under their current names. Throws if the schema stops before the baseline. */
export function stepsTaken(steps: readonly SchemaStep[], present: readonly SchemaStep[]): readonly SchemaStep[] {
  const last = steps.at(-1)
  if (last === undefined || !isBeforeBaseline(steps)) return steps
  if (markOf(steps) !== BEFORE.mark) {
    throw flawError({
      says: `The schema stops at ${last.name}, among steps that this version holds no more`,
      mend:
        `start it once with the release to go through, commit ${BEFORE.commit} ` +
        `(git checkout ${BEFORE.commit} && npm ci && npm start), whose last step is ${BEFORE.last}; then start this one`,
    })
  }
  return present.filter(({ name }) => name <= BASELINE)
}

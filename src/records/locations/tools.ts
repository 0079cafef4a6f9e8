import type { Db } from '../../platform/db/tenant.ts'
import { choice, id } from '../../platform/validation/fields.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { idInput } from '../../tools/declare/inputs.ts'
import { updateOutcome, createOutcome, promotionWrites, removeOutcome, readOutcome } from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { lockAnyCustomer, lockCustomer, requireCustomer } from '../customers/index.ts'
import {
  addLocations,
  archiveLocation,
  changeLocation,
  completeLocation,
  countLocations,
  findLocation,
  listLocations,
} from './location.ts'
import { LOCATION, type Location } from './fields.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

const customerId = { customer_id: id().describe('Customer') }

export const locations = entity({
  name: 'locations',
  singular: 'location',
  subject: 'customers',
  record: LOCATION,
  tools: [
    pageList({
      title: 'List locations',
      description: 'Locations of a customer, primary first.',
      input: { ...customerId, type: choice('service', 'billing').optional().describe('Only this type') },
      guard: ({ db }, query) => requireCustomer(db, query),
      rows: ({ db }, query) => listLocations(db, query),
      count: ({ db }, query) => countLocations(db, query),
    }),
    tool({
      verb: 'get',
      title: 'Get a location',
      description: 'A location of a customer, with its access notes.',
      input: idInput,
      run: async ({ db }, { id }) => readOutcome(await findLocation(db, id)),
    }),
    tool({
      verb: 'create',
      title: 'Add a location',
      description: 'Adds a location to a customer. The first of each type becomes primary.',
      input: { ...customerId, ...LOCATION.inputs },
      run: async ({ db, caller }, { customer_id, ...draft }) => {
        const location = completeLocation(draft, caller.tenant.country)
        await lockCustomer(db, customer_id)
        const {
          added: [added],
          also,
        } = await addLocations(db, caller, customer_id, [location])
        return { ...createOutcome(requireValue(added, 'The new location')), also }
      },
    }),
    edit({
      verb: 'update',
      title: 'Update a location',
      description: 'Changes the given fields; null or empty text clears one.',
      input: {
        ...LOCATION.patchInputs,
        type: LOCATION.inputs.type.describe('Kind'),
        customer_id: id().optional().meta({ hidden: true }),
      },
      fixed: ['customer_id'],
      lock: ({ db }, { id }) => lockLocation(db, id),
      run: async ({ db, caller }, patch, before) => {
        const { after, also } = await changeLocation(
          db,
          caller,
          before,
          completeLocation(applyPatch(before, patch), caller.tenant.country),
        )
        return { ...updateOutcome(before, after), also }
      },
    }),
    tool({
      verb: 'archive',
      title: 'Archive a location',
      description: 'Hides the location; if it is primary, the oldest other one of its type becomes primary.',
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const before = await lockLocation(db, id)
        const archived = await archiveLocation(db, caller, before)
        return { ...removeOutcome(archived, { archived_at: null }), also: promotionWrites(archived.new_primary_id) }
      },
    }),
  ],
})

/**
 * Returns a location and locks its customer's row, so that primary locations change one at a time. Retries if the
 * location moved to another customer meanwhile.
 */
async function lockLocation(db: Db, id: string): Promise<Location> {
  const { customer_id } = await findLocation(db, id)
  const [, location] = await Promise.all([lockAnyCustomer(db, customer_id), findLocation(db, id)])
  return location.customer_id === customer_id ? location : lockLocation(db, id)
}

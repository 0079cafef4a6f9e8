import type { Db } from '../../platform/db/tenant.ts'
import type { Warning } from '../../platform/errors/refusal_text.ts'
import { id } from '../../platform/validation/fields.ts'
import { entity, tool, type RunContext } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { idInput } from '../../tools/declare/inputs.ts'
import { updateOutcome, createOutcome, promotionWrites, removeOutcome, readOutcome } from '../../tools/call/outcome.ts'
import { pageList } from '../../tools/declare/page_list.ts'
import { lockAnyCustomer, lockCustomer, requireCustomer } from '../customers/index.ts'
import {
  addContacts,
  archiveContact,
  changeContact,
  completeContact,
  countContacts,
  findContact,
  listContacts,
  reviseContact,
} from './contact.ts'
import { otherCustomerWarnings, sameCustomerWarnings } from './contact_addresses.ts'
import { CONTACT, type Contact } from './fields.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

const customerId = { customer_id: id().describe('Customer') }

export const contacts = entity({
  name: 'contacts',
  singular: 'contact',
  subject: 'customers',
  record: CONTACT,
  tools: [
    pageList({
      title: 'List contacts',
      description: 'Contacts of a customer, primary first.',
      input: customerId,
      guard: ({ db }, query) => requireCustomer(db, query),
      rows: ({ db }, query) => listContacts(db, query),
      count: ({ db }, query) => countContacts(db, query),
    }),
    tool({
      verb: 'get',
      title: 'Get a contact',
      description: 'A contact of a customer.',
      input: idInput,
      run: async ({ db }, { id }) => readOutcome(await findContact(db, id)),
    }),
    tool({
      verb: 'create',
      title: 'Add a contact',
      description: 'Adds a contact to a customer; needs a name, phone or email. The first becomes primary.',
      input: { ...customerId, ...CONTACT.inputs },
      run: async (context, { customer_id, ...draft }) => {
        const { db, caller } = context
        const contact = completeContact(draft, caller.tenant.country)
        await lockCustomer(db, customer_id)
        const {
          added: [first],
          also,
        } = await addContacts(db, caller, customer_id, [contact])
        const added = requireValue(first, 'The new contact')
        return { ...createOutcome(added, await findWarnings(context, added)), also }
      },
    }),
    edit({
      verb: 'update',
      title: 'Update a contact',
      description: 'Changes the given fields; null or empty text clears one.',
      input: { ...CONTACT.patchInputs, customer_id: id().optional().meta({ hidden: true }) },
      fixed: ['customer_id'],
      lock: ({ db }, { id }) => lockContact(db, id),
      run: async (context, patch, before) => {
        const { db, caller } = context
        const { after, also } = await changeContact(
          db,
          caller,
          before,
          reviseContact(before, patch, caller.tenant.country),
        )
        return { ...updateOutcome(before, after, await findWarnings(context, after)), also }
      },
    }),
    tool({
      verb: 'archive',
      title: 'Archive a contact',
      description: 'Hides the contact; if it is primary, the oldest other one becomes primary.',
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const before = await lockContact(db, id)
        const archived = await archiveContact(db, caller, before)
        return { ...removeOutcome(archived, { archived_at: null }), also: promotionWrites(archived.new_primary_id) }
      },
    }),
  ],
})

/**
 * Returns a contact and locks its customer's row, so that primary contacts change one at a time. Retries if the contact
 * moved to another customer meanwhile.
 */
async function lockContact(db: Db, id: string): Promise<Contact> {
  const { customer_id } = await findContact(db, id)
  const [, contact] = await Promise.all([lockAnyCustomer(db, customer_id), findContact(db, id)])
  return contact.customer_id === customer_id ? contact : lockContact(db, id)
}

async function findWarnings(context: RunContext, contact: Contact): Promise<Warning[]> {
  const [sameCustomer, others] = await Promise.all([
    sameCustomerWarnings(context.db, contact),
    otherCustomerWarnings(context.db, contact.customer_id, [contact]),
  ])
  return [...sameCustomer, ...others]
}

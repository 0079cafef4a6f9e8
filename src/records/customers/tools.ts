import type { Db } from '../../platform/db/tenant.ts'
import { invalidFields, fieldName, type FieldProblem } from '../../platform/errors/refusal.ts'
import { choice, email, id, optional } from '../../platform/validation/fields.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import { searchText, text } from '../../platform/validation/text/text.ts'
import { entity, tool } from '../../tools/declare/define.ts'
import { edit } from '../../tools/declare/edit.ts'
import { cursorInputs, idInput, withUtcSince, withDefaults } from '../../tools/declare/inputs.ts'
import { updateOutcome, changesBetween, cursorOutcome, removeOutcome, readOutcome } from '../../tools/call/outcome.ts'
import { CONTACT, contactsOf } from '../contacts/index.ts'
import { LOCATION, locationsOf } from '../locations/index.ts'
import { retagCustomer, tagsOf } from '../tags/index.ts'
import { toFullCustomer, makeCustomer } from './create.ts'
import {
  archiveCustomer,
  changeCustomer,
  explainMissingCustomer,
  customersNamed,
  findCustomer,
  lockCustomer,
  touchCustomer,
} from './customer.ts'
import { CUSTOMER, CUSTOMER_STATUSES, CUSTOMER_TYPES, type Customer } from './fields.ts'
import { objectList } from '../../platform/validation/list.ts'
import { countsOf, openWorkWarnings, requireNoActiveWork } from './engagements.ts'
import { mergeCustomers } from './merge/merge.ts'
import { recentCustomers } from './search/recent.ts'
import { searchCustomers } from './search/search.ts'
import { refusals } from './refusals.ts'

const { customer_type, ...patchInputs } = CUSTOMER.patchInputs

export const customers = entity({
  name: 'customers',
  singular: 'customer',
  subject: 'customers',
  record: CUSTOMER,
  linked: true,
  recent: ({ db }, limit) => recentCustomers(db, limit),
  nameLookup: { fits: (text) => /\p{L}.*\p{L}/u.test(text), isShared: true, find: customersNamed },
  explainAbsence: explainMissingCustomer,
  tools: [
    tool({
      verb: 'search',
      title: 'Search customers',
      description: 'Finds customers by name, phone in any format, email, tag or status; without a query, the newest.',
      input: {
        query: searchText(200).describe('Name, phone, email, tag or status'),
        q: searchText(200).describe('Alias of query'),
        status: choice(...CUSTOMER_STATUSES)
          .optional()
          .describe('Only this status'),
        tag: text(50).describe('Tag name or id'),
        customer_type: choice(...CUSTOMER_TYPES)
          .optional()
          .describe('Only this type'),
        ...cursorInputs,
      },
      check: ({ query, q }, problem) => {
        if (query != null && q != null && query !== q) problem('q', refusals.aliasDiffers())
      },
      run: async ({ db, caller }, { q, ...query }) => {
        const { rows, cursorAfter } = await searchCustomers(
          db,
          caller,
          withUtcSince(caller, { ...query, query: query.query ?? q }),
        )
        return cursorOutcome(rows, query.limit, cursorAfter, 'rank', 'at')
      },
    }),
    tool({
      verb: 'get',
      title: 'Get a customer',
      description: 'The full record with contacts, locations, tags and counts of open work.',
      input: idInput,
      run: async ({ db, caller }, { id }) => {
        const [counts, customer, ...rest] = await Promise.all([
          countsOf(db, caller, id),
          findCustomer(db, id),
          contactsOf(db, id),
          locationsOf(db, id),
          tagsOf(db, id),
        ])
        return readOutcome({ ...toFullCustomer(customer, ...rest), ...counts })
      },
    }),
    tool({
      verb: 'create',
      title: 'Create a customer',
      description:
        'An individual needs first_name or last_name, a company needs company_name. email and phone make the first contact.',
      input: {
        ...withDefaults(CUSTOMER.inputs, { status: 'active' }),
        email: optional(email()).describe('First contact'),
        phone: text(40).describe('First contact, any format'),
        contacts: objectList(CONTACT.inputs).describe('First is primary'),
        locations: objectList(LOCATION.inputs).describe('First of each type is primary'),
        tag_ids: id().array().max(50).optional().describe('Tags to add'),
      },
      check: ({ customer_type, ...draft }, problem) =>
        findNameProblems(customer_type, draft).forEach(({ path, rule }) => problem(path, rule)),
      run: makeCustomer,
    }),
    edit({
      verb: 'update',
      title: 'Update a customer',
      description:
        'Changes the given fields; null or empty text clears one. Contacts and locations have their own tools.',
      input: { ...patchInputs, customer_type: customer_type.meta({ hidden: true }) },
      fixed: ['customer_type'],
      lock: ({ db }, { id }) => lockCustomer(db, id),
      run: async ({ db, caller }, patch, before) => {
        const { id } = before
        const after = applyPatch(before, patch)
        const problems = findNameProblems(before.customer_type, after)
        if (problems.length > 0) throw invalidFields(problems)
        const [saved, ...rest] = await Promise.all([changeCustomer(db, caller, id, after), ...relatedRecords(db, id)])
        return updateOutcome(toFullCustomer(before, ...rest), toFullCustomer(saved, ...rest))
      },
    }),
    tool({
      verb: 'archive',
      title: 'Archive a customer',
      description:
        'Hides the customer with its contacts and locations; refused while it has an active plan or job series.',
      input: idInput,
      run: async (context, { id }) => {
        const { db, caller } = context
        const [, warnings] = await Promise.all([
          lockCustomer(db, id),
          openWorkWarnings(context, id),
          requireNoActiveWork(db, id),
        ])
        return removeOutcome(await archiveCustomer(db, caller, id), { archived_at: null }, warnings)
      },
    }),
  ],
  pageActions: [
    edit({
      verb: 'tag',
      title: 'Tag a customer',
      description: 'Replaces the tags of the customer.',
      input: { tag_ids: id().array().max(50).describe('All tags of the customer') },
      lock: ({ db }, { id }) => lockCustomer(db, id),
      lookUp: ({ db }, { id }) => Promise.all(relatedRecords(db, id)),
      run: async ({ db, caller }, { tag_ids }, before, [contacts, locations, tags]) => {
        const { id } = before
        await retagCustomer(db, id, tag_ids)
        const [after, tagsAfter] = await Promise.all([touchCustomer(db, caller, id), tagsOf(db, id)])
        return updateOutcome(
          toFullCustomer(before, contacts, locations, tags),
          toFullCustomer(after, contacts, locations, tagsAfter),
        )
      },
    }),
    tool({
      verb: 'merge',
      title: 'Merge two customers',
      description: 'Moves everything that belongs to the customer to into_id, and archives it.',
      input: { ...idInput, into_id: id().describe('Customer to keep') },
      run: async ({ db, caller }, { id, into_id }) => {
        const { before, after, source, archived, moved } = await mergeCustomers(db, caller, id, into_id)
        const result = await fullRecord(db, after)
        const changes = changesBetween(before, result)
        return {
          result,
          written: {
            record: into_id,
            changes: { merged: [[], [{ id, name: source.display_name }]], ...changes, ...moved },
          },
          also: [
            {
              record: id,
              changes: {
                merged_into: [[], [{ id: into_id, name: after.display_name }]],
                ...changesBetween(source, archived),
              },
            },
          ],
        }
      },
    }),
  ],
})

type CustomerNames = {
  first_name?: string | null | undefined
  last_name?: string | null | undefined
  company_name?: string | null | undefined
}

/** Returns the problems with a customer's names: people need a first or last name, companies a company name. */
function findNameProblems(
  type: Customer['customer_type'],
  { first_name, last_name, company_name }: CustomerNames,
): FieldProblem[] {
  if (type === 'company') {
    return [
      ...(company_name == null ? [{ path: 'company_name', rule: refusals.companyNameRequired() }] : []),
      ...(first_name != null || last_name != null
        ? [{ path: 'first_name', rule: refusals.companyHasNoPersonName({ last_name: fieldName('last_name') }) }]
        : []),
    ]
  }
  return [
    ...(first_name == null && last_name == null
      ? [{ path: 'first_name', rule: refusals.personNameRequired({ last_name: fieldName('last_name') }) }]
      : []),
    ...(company_name != null
      ? [
          {
            path: 'company_name',
            rule: refusals.individualHasNoCompanyName({ customer_type: fieldName('customer_type') }),
          },
        ]
      : []),
  ]
}

/** Returns the parts of a full customer that its own row doesn't hold. */
const relatedRecords = (db: Db, id: string) => [contactsOf(db, id), locationsOf(db, id), tagsOf(db, id)] as const

/** Returns the full record after a change. */
const fullRecord = async (db: Db, customer: Customer) =>
  toFullCustomer(customer, ...(await Promise.all(relatedRecords(db, customer.id))))

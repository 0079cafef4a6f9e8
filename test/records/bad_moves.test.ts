import { after, before, describe, it } from 'node:test'
import { makeRecords, type Records } from '../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { openWitness, refusedEach, type Witness } from '../harness/clients/witness.ts'

/** Tests refusals that depend on the current state of records: right code, next step, and no change in any table. */
const day = (days: number): string => Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()
const visit = { name: 'Visit', unit_price_cents: 100 }

let service: TestService
let witness: Witness
let company: Company
let of: Records
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
  of = await makeRecords(company, 'Harbor')
})
after(async () => {
  await witness.close()
  await service.stop()
})

type Case = readonly [given: object, text: string | RegExp]
const assertToolRefuses = (tool: string, cases: readonly Case[]): Promise<void> =>
  refusedEach(witness, company.owner, tool, cases)

describe('catalog conflicts', () => {
  const COMPONENT = /^invalid_input: components\[\d\]\.catalog_item_id .+/

  it('refuse invalid bundle components and the archiving of an item in a bundle', async () => {
    const { id: gone } = await company.call('catalog_items_create', { kind: 'fee', name: 'Gone', unit_price_cents: 1 })
    await company.call('catalog_items_archive', { id: gone })
    const list = (...components: object[]): object => ({ components })
    const cases: Case[] = [
      [list({ catalog_item_id: of.bundle }), COMPONENT],
      [list({ catalog_item_id: gone }), COMPONENT],
      [list({ catalog_item_id: of.item }, { catalog_item_id: of.item }), COMPONENT],
      [
        list({ catalog_item_id: of.item, quantity: -1 }),
        /^invalid_input: components\[0\]\.quantity must be (above 0|at least 0\.001)/,
      ],
      [
        list({ catalog_item_id: of.item, quantity: 1.0001 }),
        /^invalid_input: components\[0\]\.quantity must have at most 3 decimals/,
      ],
      [list(), /^invalid_input: components must have at least 1/],
    ]
    await assertToolRefuses(
      'catalog_items_create',
      cases.map(([given, text]) => [{ kind: 'bundle', name: 'Kit', ...given }, text]),
    )
    await assertToolRefuses(
      'catalog_items_update',
      cases.map(([given, text]) => [{ id: of.bundle, ...given }, text]),
    )
    await assertToolRefuses('catalog_items_archive', [
      [
        { id: of.item },
        new RegExp(
          `^conflict: the item is part of bundle Harbor bundle \\(${of.bundle}\\); first remove it from their components with catalog_items_update$`,
        ),
      ],
    ])
  })

  it('refuse duplicate names, SKUs and external ids, and category cycles', async () => {
    await company.call('catalog_items_create', { kind: 'fee', name: 'Trip', unit_price_cents: 1, sku: 'T-1' })
    await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana', external_id: 'A-1' })
    const { id: spare } = await company.call('tags_create', { name: 'Spare' })
    await assertToolRefuses('tags_create', [
      [{ name: ' harbor  TAG ' }, "conflict: name is another tag's; find that one with tags_list, or choose another"],
    ])
    await assertToolRefuses('tags_update', [
      [
        { id: spare, name: 'HARBOR tag' },
        "conflict: name is another tag's; find that one with tags_list, or choose another",
      ],
    ])
    await assertToolRefuses('catalog_items_create', [
      [{ kind: 'fee', name: 'x', unit_price_cents: 1, sku: 'T-1' }, /^conflict: .*sku/],
    ])
    await assertToolRefuses('catalog_items_update', [[{ id: of.item, sku: 'T-1' }, /^conflict: .*sku/]])
    await assertToolRefuses('customers_create', [
      [{ customer_type: 'individual', first_name: 'x', external_id: 'A-1' }, /^conflict: .*external_id/],
    ])
    await assertToolRefuses('customers_update', [[{ id: of.customer, external_id: 'A-1' }, /^conflict: .*external_id/]])
    await assertToolRefuses('catalog_categories_create', [
      [{ name: 'HARBOR category', parent_id: of.parent }, /^conflict: .*name/],
      [
        { name: 'x', parent_id: crypto.randomUUID() },
        /^invalid_input: parent_id is not a category.*catalog_categories_list/,
      ],
    ])
    const CYCLE =
      "conflict: parent_id would put 'Harbor parent' under itself or one of its descendants; choose another parent_id, or null for the root"
    await assertToolRefuses('catalog_categories_update', [
      [{ id: of.parent, parent_id: of.category }, CYCLE],
      [{ id: of.parent, parent_id: of.parent }, CYCLE],
    ])
  })
})

describe('changes to records that have ended or are no longer drafts', () => {
  it('are refused for a canceled job, as are invalid status changes of an open one', async () => {
    const { id } = await company.call('jobs_create', { customer_id: of.customer, title: 'Off' })
    await assertToolRefuses('jobs_update', [
      [{ id, status: 'cancelled' }, /^invalid_input: status .*jobs_cancel/],
      [{ id, status: 'scheduled' }, 'invalid_input: status scheduled needs scheduled_start; send both'],
      [
        { id, status: 'unscheduled', scheduled_start: `${day(1)}T09:00` },
        /^invalid_input: status unscheduled clears the schedule and can't be combined with scheduled_start; send one of the two/,
      ],
    ])
    await company.call('jobs_cancel', { id })
    const END = "conflict: the job is cancelled and can't be changed; create a new one with jobs_create"
    await assertToolRefuses('jobs_update', [
      ...['unscheduled', 'en_route', 'in_progress', 'on_hold', 'done'].map((status): Case => [{ id, status }, END]),
      [{ id, title: 'x' }, END],
    ])
  })

  it('are refused for a void and a sent invoice', async () => {
    const [off, sent] = await Promise.all(
      [1, 2].map(() => company.call('invoices_create', { customer_id: of.customer, line_items: [visit] })),
    )
    await assertToolRefuses('invoices_update', [
      [{ id: sent!['id'], status: 'void' }, /^invalid_input: status .*invoices_void/],
    ])
    await company.call('invoices_void', { id: off!['id'] })
    await company.call('invoices_update', { id: sent!['id'], status: 'sent' })
    const VOID = /^conflict: \S+ is void, which is final; create a new invoice with invoices_create$/
    await assertToolRefuses('invoices_update', [
      ...['draft', 'sent', 'partially_paid', 'paid', 'uncollectible'].map((status): Case => [
        { id: off!['id'], status },
        VOID,
      ]),
      [{ id: off!['id'], subject: 'x' }, VOID],
    ])
    const SENT =
      /^conflict: \S+ is sent, and \w+ can be changed only in draft; set status to draft first, in a separate call, .*; or add a note to it \(notes_create\), which undoes nothing$/
    const edits = [
      { subject: 'x' },
      { line_items: [visit] },
      { due_date: day(30) },
      { discount: null },
      { status: 'draft', subject: 'x' },
    ]
    await assertToolRefuses(
      'invoices_update',
      edits.map((patch): Case => [{ id: sent!['id'], ...patch }, SENT]),
    )
  })

  it('are refused for an ended series and a canceled plan, as is archiving a customer with active work', async () => {
    const { id: series } = await company.call('job_series_create', {
      customer_id: of.customer,
      title: 'Mow',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${day(1)}T09:00`,
    })
    const { id: plan } = await company.call('plans_create', {
      customer_id: of.customer,
      name: 'Care',
      cadence: 'weekly',
      line_items: [visit],
    })
    await assertToolRefuses('customers_archive', [
      [
        { id: of.customer },
        /^conflict: the customer has active work; end it first with plans_cancel or job_series_end: .*Care.*Mow/,
      ],
    ])
    await assertToolRefuses('plans_update', [
      [{ id: plan, status: 'cancelled' }, /^invalid_input: status is set to cancelled with plans_cancel/],
    ])
    await company.call('job_series_end', { id: series })
    await company.call('plans_cancel', { id: plan })
    const ENDED = /^conflict: the series ended at .* and can't be changed; create a new one with job_series_create$/
    await assertToolRefuses('job_series_update', [
      [{ id: series, title: 'x' }, ENDED],
      [{ id: series, rrule: 'FREQ=DAILY' }, ENDED],
    ])
    await assertToolRefuses('job_series_end', [[{ id: series }, ENDED]])
    const CANCELLED =
      'conflict: plan «Care» is cancelled and cannot be reactivated; create a new plan with plans_create'
    await assertToolRefuses('plans_update', [
      [{ id: plan, status: 'active' }, CANCELLED],
      [{ id: plan, status: 'paused' }, CANCELLED],
      [{ id: plan, name: 'x' }, CANCELLED],
    ])
    await assertToolRefuses('plans_cancel', [[{ id: plan }, CANCELLED]])
  })

  it('are refused for every invalid quote status change', async () => {
    const illegal: Record<string, string[]> = {
      draft: ['expired'],
      accepted: ['draft', 'sent', 'expired'],
      declined: ['sent', 'accepted', 'expired'],
      expired: ['accepted', 'declined'],
    }
    for (const [from, all] of Object.entries(illegal)) {
      const { id } = await company.call('quotes_create', {
        customer_id: of.customer,
        title: 'Roof',
        line_items: [visit],
      })
      if (from === 'expired') await company.call('quotes_update', { id, status: 'sent' })
      if (from !== 'draft') await company.call('quotes_update', { id, status: from })
      await assertToolRefuses('quotes_update', [
        ...all.map((to): Case => [
          { id, status: to },
          new RegExp(`^conflict: Q-\\d+ is ${from} and can't become ${to}; from here it can become \\w+`),
        ]),
        ...(from === 'draft'
          ? []
          : [
              [
                { id, title: 'x' },
                new RegExp(`^conflict: Q-\\d+ is ${from}, and title can be changed only in draft; .+`),
              ] as Case,
            ]),
        [{ id, status: 'archived' }, /^invalid_input: status .*quotes_archive/],
      ])
    }
  })
})

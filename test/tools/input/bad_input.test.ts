import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../../src/records/index.ts'
import { toolCatalogOf } from '../../../src/tools/declare/catalog.ts'
import { FINDERS } from '../../../src/tools/declare/finders.ts'
import { ARGUMENTS } from '../../harness/clients/every_tool.ts'
import type { Result } from '../../harness/harness.ts'
import { startRefusing, visit } from './refusing.ts'

let { company, documents, gone, of, assertToolRefuses, assertPatchesRefused, stop, witness } = {} as Awaited<
  ReturnType<typeof startRefusing>
>
/** Another customer with a location, a contact and documents. */
let other: Result
before(async () => {
  ;({ company, documents, gone, of, assertToolRefuses, assertPatchesRefused, stop, witness } = await startRefusing())
  other = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Other',
    contacts: [{ first_name: 'Kim' }],
    locations: [{ address_line1: '9 Far Rd' }],
  })
})
after(() => stop())

describe('tool arguments', () => {
  const { tools, descriptions } = toolCatalogOf(entities)

  it("are refused with the field's name for an unknown field, by every tool", async () => {
    const before = await witness.digest()
    for (const wire of tools.keys()) {
      const [given] = ARGUMENTS[wire]!(of)
      assert.match(
        await company.refusal(wire, { ...given, hat_size: 1 }),
        /^invalid_input: (.*; )?unknown field 'hat_size'/,
        wire,
      )
    }
    assert.deepEqual(await witness.digest(), before)
  })

  it('are refused with the expected type for a wrong type, for every field of every tool', async () => {
    const before = await witness.digest()
    let fields = 0
    for (const { name, inputSchema } of descriptions) {
      const [given] = ARGUMENTS[name]!(of)
      const properties = inputSchema['properties'] as Record<string, { type: string; additionalProperties?: object }>
      for (const [field, { type, additionalProperties }] of Object.entries(properties)) {
        fields++
        // Custom fields accept an object as well as a list.
        const wrong = type === 'object' || additionalProperties !== undefined ? 'text' : { wrong: true }
        assert.match(
          await company.refusal(name, { ...given, [field]: wrong }),
          new RegExp(`^invalid_input: (.*; )?${field}(\\[\\w+\\])? (must|is|has)`),
          `${name} ${field}`,
        )
      }
    }
    assert.ok(fields > 350, `${fields} fields`)
    assert.deepEqual(await witness.digest(), before)
  })

  it('are refused for a missing or malformed id, by every tool that takes an id', async () => {
    const before = await witness.digest()
    for (const { name } of descriptions.filter(({ inputSchema }) => 'id' in (inputSchema['properties'] as object))) {
      assert.match(await company.refusal(name, { id: '7' }), /^invalid_input: id must be a UUID \(got "7"\)/, name)
      assert.match(await company.refusal(name, {}), /^invalid_input: id is required/, name)
    }
    assert.deepEqual(await witness.digest(), before)
  })
})

describe('a reference to an unavailable record', () => {
  it("is refused for a location, contact, job or quote that is archived or another customer's", async () => {
    const papers = {
      job: (await company.call('jobs_create', { customer_id: other['id'], title: 'Far' }))['id'],
      quote: (await company.call('quotes_create', { customer_id: other['id'], title: 'Far' }))['id'],
    }
    const LOCATION =
      'invalid_input: location_id is not a live location of this customer; find its id with locations_list'
    const CONTACT = 'invalid_input: contact_id is not a live contact of this customer; find its id with contacts_list'
    await assertPatchesRefused([
      [{ location_id: other['locations'][0].id }, LOCATION],
      [{ location_id: gone.location }, LOCATION],
    ])
    await assertPatchesRefused(
      [
        [{ contact_id: other['contacts'][0].id }, CONTACT],
        [{ contact_id: gone.contact }, CONTACT],
      ],
      ['plans_create'],
    )
    await assertToolRefuses('jobs_create', [
      [
        { customer_id: of.customer, title: 'x', quote_id: papers.quote },
        'invalid_input: quote_id is not a live quote of this customer; find its id with quotes_list',
      ],
      [{ customer_id: of.customer, title: 'x', quote_id: gone.quote }, /^invalid_input: quote_id is not a live quote/],
    ])
    await assertToolRefuses('invoices_create', [
      [
        { customer_id: of.customer, quote_id: papers.quote },
        /^invalid_input: quote_id is not a live quote of this customer/,
      ],
      [
        { customer_id: of.customer, job_ids: [of.job, papers.job] },
        'invalid_input: job_ids[1] is not a job of this customer; find its id with jobs_list',
      ],
      [
        { customer_id: of.customer, from_job_id: papers.job },
        'invalid_input: from_job_id is not a job of this customer; find its id with jobs_list',
      ],
      [
        { customer_id: of.customer, from_quote_id: gone.quote },
        'invalid_input: from_quote_id is not a live quote of this customer; find its id with quotes_list',
      ],
    ])
    await assertToolRefuses('invoices_update', [
      [{ id: of.invoice, job_ids: [papers.job] }, /^invalid_input: job_ids\[0\] is not a job of this customer/],
    ])
  })

  it('is refused for a location or contact of an archived customer', async () => {
    const hidden = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Hidden',
      contacts: [{ first_name: 'Kim' }],
      locations: [{ address_line1: '1 Elm' }],
    })
    const base = { customer_id: hidden['id'], location_id: null, contact_id: null }
    const papers = [
      ['jobs_update', await company.call('jobs_create', { ...base, title: 'x' })],
      ['invoices_update', await company.call('invoices_create', base)],
      ['quotes_update', await company.call('quotes_create', { ...base, title: 'x' })],
    ] as const
    await company.call('customers_archive', { id: hidden['id'] })
    for (const [update, { id }] of papers) {
      await assertToolRefuses(update, [
        [{ id, location_id: hidden['locations'][0].id }, /^invalid_input: location_id is not a live location/],
        [{ id, contact_id: hidden['contacts'][0].id }, /^invalid_input: contact_id is not a live contact/],
      ])
    }
  })

  it('is refused for an archived item, tax rate or customer', async () => {
    await assertPatchesRefused([
      [
        { line_items: [visit, { catalog_item_id: gone.item }] },
        'invalid_input: line_items[1].catalog_item_id is not a live catalog item; find its id with catalog_items_list',
      ],
      [
        { line_items: [{ ...visit, tax_rate_id: gone.rate }] },
        /^invalid_input: line_items\[0\]\.tax_rate_id is not a live tax rate .*; .*tax_rates_list/,
      ],
    ])
    await assertPatchesRefused(
      [[{ tax_rate_id: gone.rate }, /^invalid_input: tax_rate_id is not a live tax rate .*; .*tax_rates_list/]],
      ['jobs_create', 'job_series_create'],
    )
    for (const [create, base] of documents)
      await assertToolRefuses(create, [
        [
          { line_items: [visit], ...base, customer_id: gone.customer },
          /^not_found: customer not found: it is «Gone», archived on \S+ .*; find another with customers_search$/,
        ],
      ])
    await assertToolRefuses('contacts_create', [
      [
        { customer_id: gone.customer, first_name: 'x' },
        /^not_found: customer not found: it is «Gone», archived on \S+ .*; find another with customers_search$/,
      ],
    ])
    await assertToolRefuses('locations_create', [
      [
        { customer_id: gone.customer, address_line1: 'x' },
        /^not_found: customer not found: it is «Gone», archived on \S+ .*; find another with customers_search$/,
      ],
    ])
  })

  it('is refused with not_found by get, update and archive for an archived record', async () => {
    const told = ['customer', 'quote']
    const byId: [tool: string, id: string, noun: string][] = [
      ['catalog_items', gone.item, 'catalog item'],
      ['tax_rates', gone.rate, 'tax rate'],
      ['locations', gone.location, 'location'],
      ['contacts', gone.contact, 'contact'],
      ['customers', gone.customer, 'customer'],
      ['quotes', gone.quote, 'quote'],
    ]
    for (const [tool, id, noun] of byId)
      for (const verb of ['get', 'update', 'archive'])
        await assertToolRefuses(`${tool}_${verb}`, [
          [
            { id },
            new RegExp(
              `^not_found: ${noun} not found${told.includes(noun) ? ': it is .* archived on .*; find another' : '; find its id'} with ${FINDERS.get(noun.replace(' ', '_'))}$`,
            ),
          ],
        ])
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withReader } from '../../platform/i18n/reader.ts'
import type { HistoryEntry } from '../../tools/call/history.ts'
import { entities } from '../index.ts'
import { sentencesOf } from './history_sentences.ts'

const ZONE = { timezone: 'America/New_York', currency: 'USD', country: 'US' }
const ANA = {
  id: '1',
  at: '2026-11-22T15:00:00.000Z',
  change_id: null,
  is_undone: false,
  user_id: '2',
  user_name: 'Ana',
  credential_name: null,
  client: null,
} as const

const describeChange = (tool: string, changed: HistoryEntry['changed'], by: Partial<HistoryEntry> = {}): string[] =>
  sentencesOf(
    { ...ANA, credential_kind: 'browser', tool, changed, ...by },
    ZONE,
    entities.find(({ name }) => tool.startsWith(`${name}.`))?.record.fields,
  ).map((text) => text.replace(/[\u00a0\u202f]/g, ' '))

describe('the history of a record', () => {
  it('describes scheduling, assignment, added lines and reopening in sentences', () => {
    assert.deepEqual(
      describeChange('jobs.update', {
        scheduled_start: [null, '2020-11-24T14:00:00.000Z'],
        scheduled_end: [null, '2020-11-24T15:00:00.000Z'],
        status: ['unscheduled', 'scheduled'],
        assignments: [[], [{ user_id: 'x', name: 'Luis' }]],
      }),
      ['Ana scheduled it for Nov 24, 2020, 9:00 AM', 'Ana marked it Scheduled', 'Ana assigned it to Luis'],
    )
    assert.deepEqual(
      describeChange('jobs.update', {
        line_items: [[], [{ name: 'Valve' }, { name: 'Labor' }]],
        subtotal_cents: [0, 100],
      }),
      ['Ana added 2 lines'],
    )
    assert.deepEqual(describeChange('jobs.update', { status: ['done', 'in_progress'] }), ['Ana reopened it'])
  })

  it('shows no API field names, ids or derived fields', () => {
    assert.deepEqual(
      describeChange('invoices.update', { contact_id: ['a', 'b'], internal_memo: [null, 'x'], updated_at: [1, 2] }),
      ['Ana changed: Contact, Memo'],
    )
    assert.deepEqual(describeChange('invoices.update', { strange_field: [1, 2] }), ['Ana changed details'])
  })

  it('names every field by its label, and an address once', () => {
    const moved = {
      address_line1: ['a', 'b'],
      postal_code: [null, '78704'],
      formatted_address: ['a', 'b, 78704'],
    } as const
    assert.deepEqual(describeChange('locations.update', { ...moved, latitude: [null, 30.2] }), [
      'Ana changed: Address, Latitude',
    ])
    assert.deepEqual(describeChange('job_series.update', { rrule: ['a', 'b'] }), ['Ana changed: How often'])
    assert.deepEqual(
      withReader({ language: 'es', country: 'US' }, () =>
        describeChange('customers.update', { payment_terms_days: [30, 15] }),
      ),
      ['Ana cambió: Plazo de pago en días'],
    )
  })

  it("names automatic changes and the company's key as their actor", () => {
    const none = { user_name: null, credential_kind: null } as const
    assert.deepEqual(describeChange('invoices.payment_received', {}, none), ['A payment was received'])
    assert.deepEqual(describeChange('invoices.update', { status: ['draft', 'sent'] }, none), ['Callout marked it Sent'])
    assert.deepEqual(describeChange('jobs.create', {}, { ...none, credential_kind: 'tenant_key' }), [
      "The company's key created it",
    ])
  })

  it('describes what an undo restored and whose change it was', () => {
    assert.deepEqual(describeChange('jobs.undo', { title: ['Visit', 'Repair'] }, { client: 'Claude' }), [
      'Ana undid what Claude had done',
      'Ana called it “Repair”',
    ])
    assert.deepEqual(describeChange('notes.undo', {}, { client: 'Ana' }), ['Ana undid earlier changes'])
  })
})

import { facts } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import { say, sayCount, sayFor } from '../../platform/i18n/say.ts'
import { wordOptions } from '../fields/choices.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { linesHtml, totalsHtml } from '../page/document.ts'
import { textAreaField } from '../fields/fields.ts'
import { day, moment, money, shortDay } from '../format/formats.ts'
import { recordLink } from '../page/links.ts'
import { part, statusTag, multilineText } from '../page/parts.ts'
import { workAddress } from '../page/contact_links.ts'
import { wordFor } from '../page/states.ts'
import { screen, type Action } from '../page/screen.ts'
import type { PageContext } from '../page/page_context.ts'
import type { Results } from '../../tools/declare/results.ts'
import { formFields } from '../declare/form_fields.ts'
import { agreementActions, endNotice, visitsPart } from './agreement_part.ts'
import { PLAN, STATUSES, type Plan } from './fields.ts'
import { runsOf } from './plan.ts'
import { plans } from './tools.ts'

const planFields = () =>
  formFields(PLAN, [
    'customer_id',
    'name',
    'cadence',
    'start_date',
    'auto_invoice',
    'line_items',
    'end_date',
    'location_id',
  ])

export const planScreen = screen<Results['plans_get'], Results['plans_list']['rows'][number]>({
  entity: plans,
  get title() {
    return say`Plans`
  },
  get singular() {
    return say`plan`
  },
  menu: { group: 'work', position: 3 },
  startsFrom: 'customer',
  listing: {
    filters: () => [
      { kind: 'choice', name: 'status', label: say`Status`, options: wordOptions(...STATUSES) },
      { kind: 'record', name: 'customer_id', of: 'customers' },
    ],
    columns: (context) => [
      { name: 'plan', label: say`Plan`, cell: ({ id, name }) => recordLink(context, 'plans', id, name) },
      { name: 'status', label: say`Status`, cell: ({ status }) => statusTag(status), isOneLine: true, onPhone: 'side' },
      { name: 'customer', label: say`Customer`, cell: ({ customer_name }) => customer_name },
      { name: 'how_often', label: say`How often`, cell: ({ cadence }) => wordFor(cadence) },
      {
        name: 'next_invoice',
        label: say`Next invoice`,
        cell: ({ next_run_date }) => (next_run_date == null ? sayFor('invoice')`None` : shortDay(next_run_date)),
        isOneLine: true,
        onPhone: 'labeled',
      },
      {
        name: 'total',
        label: say`Each time`,
        cell: ({ total_cents }) => money(total_cents, context.company.currency),
        isNumber: true,
        onPhone: 'side',
      },
    ],
    get empty() {
      return say`No plans yet. A plan drafts an invoice on each of its dates: maintenance contracts, memberships.`
    },
    exported: ['id', 'name', 'status', 'customer_name', 'cadence', 'next_run_date', 'total_cents'],
  },
  nameOf: ({ name }) => name,
  stateOf: ({ status }) => statusTag(status),
  isEditable: ({ status }) => isOngoing(status),
  editableFields: ({ runs_count }) =>
    runs_count === 0
      ? undefined
      : {
          names: planFields()
            .map(({ name }) => name)
            .filter((name) => name !== 'start_date'),
          reason: say`It has run already, so its first date stays.`,
        },
  get fields() {
    return planFields()
  },
  actions: (context, plan) =>
    isOngoing(plan.status)
      ? [
          ...pauseActions(plan.status),
          ...agreementActions(context, plan),
          {
            wire: 'plans_end',
            label: say`Cancel plan`,
            kind: 'danger',
            fields: [textAreaField({ name: 'reason', label: say`Reason`, rows: 2 })],
            warning: say`It creates no more invoices, and its visits are canceled. Its invoices stay; nothing is refunded.`,
          },
        ]
      : [],
  sheet: async (context, plan) => html`
${endNotice(context, plan)}${facts([
    {
      label: say`Customer`,
      value: recordLink(context, 'customers', plan.customer_id, plan.customer_name),
      says: workAddress(context, plan),
    },
    {
      label: say`How often`,
      value: wordFor(plan.cadence),
      says:
        plan.end_date === null
          ? say`from ${day(plan.start_date)}`
          : say`from ${day(plan.start_date)} to ${day(plan.end_date)}`,
    },
    {
      label: say`Next invoice`,
      value: plan.next_run_date === null ? sayFor('invoice')`None` : day(plan.next_run_date),
      says: nextInvoiceNote(plan),
    },
    {
      label: say`Each time`,
      value: money(plan.total_cents, context.company.currency),
      says: plan.tax_exempt ? say`Tax exempt` : undefined,
    },
    ...sheetFacts(context, PLAN, plan),
    {
      label: say`Invoiced`,
      value: plan.runs_count === 0 ? say`Not yet` : sayCount(plan.runs_count, 'Once', '{0} times'),
      says: plan.last_run_date === null ? undefined : say`last on ${day(plan.last_run_date)}`,
    },
    ...(plan.cancelled_at === null
      ? []
      : [
          {
            label: say`Canceled`,
            value: moment(plan.cancelled_at, context.company.timezone),
            says: plan.cancel_reason ?? undefined,
          },
        ]),
  ])}
${plan.description === null ? '' : part(say`Description`, multilineText(plan.description))}
${part(
  say`On each invoice`,
  html`${linesHtml(plan.line_items, context.company.currency)}${totalsHtml(plan, context.company.currency)}`,
)}
${await visitsPart(context, plan)}${await runsHtml(context, plan)}`,
})

const isOngoing = (status: Plan['status']): boolean => status === 'active' || status === 'paused'

const pauseActions = (status: Plan['status']): Action[] =>
  status === 'active'
    ? [{ wire: 'plans_update', input: { status: 'paused' }, label: say`Pause` }]
    : [
        {
          wire: 'plans_update',
          input: { status: 'active' },
          label: say`Resume`,
          kind: 'main',
          warning: say`Dates during the pause are skipped.`,
        },
      ]

function nextInvoiceNote({ status, auto_invoice, next_run_date }: Plan): string | undefined {
  if (status === 'paused') return say`Paused: no invoice is created`
  if (next_run_date === null) return undefined
  return auto_invoice === 'draft' ? say`A draft to check and send` : say`No invoice is created`
}

/** Renders the past runs of a plan, newest first. */
async function runsHtml(context: PageContext, { id }: Plan): Promise<Html | ''> {
  const runs = await context.read((db) => runsOf(db, id))
  return runs.length === 0
    ? ''
    : part(
        say`Past dates`,
        table({
          caption: say`Past dates`,
          isCaptionHidden: true,
          empty: '',
          rows: runs,
          columns: [
            { label: say`Date`, cell: ({ run_date }) => day(run_date) },
            {
              label: say`Invoice`,
              cell: ({ invoice_id, display_number }) => invoiceCell(context, invoice_id, display_number),
            },
            ...(context.may('read:invoices')
              ? [
                  {
                    label: say`Status`,
                    cell: ({ status }: (typeof runs)[number]) => (status === null ? '' : statusTag(status)),
                  },
                  {
                    label: say`Total`,
                    cell: ({ total_cents }: (typeof runs)[number]) =>
                      total_cents === null ? '' : money(total_cents, context.company.currency),
                    isNumber: true,
                  },
                ]
              : []),
          ],
        }),
      )
}

function invoiceCell(context: PageContext, id: string | null, number: string | null): Html | string {
  if (id === null || number === null) return sayFor('invoice')`None`
  return context.may('read:invoices') ? recordLink(context, 'invoices', id, number) : say`Created`
}

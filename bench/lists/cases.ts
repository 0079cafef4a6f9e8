import type { Company } from './fill.ts'

export type Tenant = Company & {
  /** Cursor of the fiftieth page of a list, or of the last page if there are fewer. */
  cursors: Readonly<Record<(typeof BY_CURSOR)[number], string>>
}
export const BY_CURSOR = ['customers_search', 'notes_list'] as const

export type Case = {
  tool: string
  name: string
  args: (tenant: Tenant) => object
  /** Reason why the time grows with the tenant's rows, whatever indexes exist. */
  grows?: string
}

const day = (days: number): string => Temporal.Now.plainDateISO('America/Chicago').add({ days }).toString()
const ago = (hours: number): string => Temporal.Now.instant().subtract({ hours }).toString()

const FULL_SCAN = 'compares every title of the tenant inside the index: too short for the trigram index'
const NAMES = 'scans the next 3,000 names, and all of them if many customers share few names'
const COUNT = 'counts rows, up to 10,000'
const RANKED = 'ranks every match of a word that less than an eighth have'

const makeCases = (tool: string, cases: Record<string, Case['args']>, grows?: string): Case[] =>
  Object.entries(cases).map(([name, args]) => ({ tool, name, args, ...(grows === undefined ? {} : { grows }) }))

export const CASES: readonly Case[] = [
  ...makeCases('jobs_list', {
    newest: () => ({}),
    'newest, page 50': () => ({ page: 50 }),
    open: () => ({ status: ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold'] }),
    'open, page 50': () => ({ status: ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold'], page: 50 }),
    done: () => ({ status: ['done'] }),
    'done, page 50': () => ({ status: ['done'], page: 50 }),
    cancelled: () => ({ status: ['cancelled'] }),
    'on hold': () => ({ status: ['on_hold'] }),
    'this week': () => ({ scheduled_from: day(-3), scheduled_to: day(3) }),
    'this week, open': () => ({ scheduled_from: day(-3), scheduled_to: day(3), status: ['scheduled', 'in_progress'] }),
    'a week a year ago': () => ({ scheduled_from: day(-370), scheduled_to: day(-363) }),
    'latest by schedule, page 50': () => ({ sort: 'scheduled_desc', page: 50 }),
    'of a customer': ({ customer }) => ({ customer_id: customer }),
    'of a technician': ({ technician }) => ({ assignee: technician }),
    'of a technician, page 50': ({ technician }) => ({ assignee: technician, page: 50 }),
    'of a technician, this week': ({ technician }) => ({
      assignee: technician,
      scheduled_from: day(-3),
      scheduled_to: day(3),
    }),
    unassigned: () => ({ unassigned: true }),
    'unassigned, page 50': () => ({ unassigned: true, page: 50 }),
    'changed in a day': () => ({ updated_since: ago(48) }),
    'title of a tenth': () => ({ title: 'boiler' }),
    'title of a tenth, page 50': () => ({ title: 'boiler', page: 50 }),
    'title of five': () => ({ title: 'zeppelin' }),
    'title of five, done': () => ({ title: 'zeppelin', status: ['done'] }),
    'title of none': () => ({ title: 'submarine' }),
    'title of none, of common parts': () => ({ title: 'boiler ridge' }),
  }),
  ...makeCases('jobs_list', { 'title of none, two characters': () => ({ title: 'zq' }) }, FULL_SCAN),
  ...makeCases('jobs_list', { 'newest, counted': () => ({ include_total: true }) }, COUNT),
  ...makeCases('invoices_list', {
    newest: () => ({}),
    'newest, page 50': () => ({ page: 50 }),
    sent: () => ({ status: ['sent'] }),
    'sent, page 50': () => ({ status: ['sent'], page: 50 }),
    'paid, page 50': () => ({ status: ['paid'], page: 50 }),
    'sent or paid, page 50': () => ({ status: ['sent', 'paid'], page: 50 }),
    void: () => ({ status: ['void'] }),
    overdue: () => ({ overdue: true }),
    'overdue, page 50': () => ({ overdue: true, page: 50 }),
    'issued this week': () => ({ issued_from: day(-7), issued_to: day(0) }),
    'issued in a week a year ago': () => ({ issued_from: day(-370), issued_to: day(-363) }),
    'due next week': () => ({ due_from: day(7), due_to: day(14) }),
    'of a customer': ({ customer }) => ({ customer_id: customer }),
    'of a job': ({ job }) => ({ job_id: job }),
    'by number': () => ({ number: 1050 }),
    'changed in a day': () => ({ updated_since: ago(48) }),
  }),
  ...makeCases(
    'invoices_list',
    {
      'newest, counted': () => ({ include_total: true }),
      'overdue, counted': () => ({ overdue: true, include_total: true }),
    },
    COUNT,
  ),
  ...makeCases('quotes_list', {
    newest: () => ({}),
    'newest, page 50': () => ({ page: 50 }),
    sent: () => ({ status: ['sent'] }),
    'accepted, page 50': () => ({ status: ['accepted'], page: 50 }),
    'sent or accepted, page 50': () => ({ status: ['sent', 'accepted'], page: 50 }),
    archived: () => ({ status: ['archived'] }),
    'of a customer': ({ customer }) => ({ customer_id: customer }),
    'of an owner': ({ technician }) => ({ owner_id: technician }),
    'of an owner, page 50': ({ technician }) => ({ owner_id: technician, page: 50 }),
    'of a week a year ago': () => ({ created_from: day(-370), created_to: day(-363) }),
    'changed in a day': () => ({ updated_since: ago(48) }),
  }),
  ...makeCases('quotes_list', { 'newest, counted': () => ({ include_total: true }) }, COUNT),
  ...makeCases('customers_search', {
    newest: () => ({}),
    'newest, page 50': ({ cursors }) => ({ cursor: cursors.customers_search }),
    leads: () => ({ status: 'lead' }),
    'with a tag': () => ({ tag: 'VIP' }),
    'changed in a day': () => ({ updated_since: ago(48) }),
  }),
  ...makeCases(
    'customers_search',
    {
      'a first name': () => ({ query: 'mara' }),
      'a whole name': ({ name }) => ({ query: name }),
      'a whole phone': ({ phone }) => ({ query: phone }),
      'part of a phone': ({ phone }) => ({ query: phone.slice(-6) }),
      'an email': ({ email }) => ({ query: email }),
      'no match': () => ({ query: 'submarine' }),
    },
    NAMES,
  ),
  ...makeCases('notes_list', {
    newest: () => ({}),
    'newest, page 50': ({ cursors }) => ({ cursor: cursors.notes_list }),
    'on a customer': ({ customer }) => ({ subject_type: 'customer', subject_id: customer }),
    'by an author': ({ technician }) => ({ author_id: technician }),
    pinned: () => ({ pinned: true }),
    'of a week a year ago': () => ({ created_from: day(-370), created_to: day(-363) }),
    'changed in a day': () => ({ updated_since: ago(48) }),
    'a rare word': () => ({ query: 'zeppelin' }),
    'no match': () => ({ query: 'submarine' }),
  }),
  ...makeCases(
    'notes_list',
    {
      'two words, of 250 notes': () => ({ query: 'word117 word142' }),
      'a word, of 5,000 notes': () => ({ query: 'word117' }),
      'a beginning, of 40,000 notes': () => ({ query: 'word11' }),
    },
    RANKED,
  ),
]

import {
  MAILBOXES,
  NUMBERS,
  addChannel,
  listChannels,
  readMailbox,
  readNumber,
  removeChannel,
  type Channel,
} from '../../messaging/inbox/directory.ts'
import { findTenant, type CompanySummary } from '../../identity/companies/tenants.ts'
import { aligned, listed } from '../aligned.ts'
import { command, type Report } from '../command.ts'
import { onCompany, onDatabase } from '../opened.ts'

const tenant = { value: '<id>', description: 'Id of the company' } as const
const number = {
  value: '<number>',
  required: true,
  bare: true,
  description: 'The number, best with its country code: +16175550123',
} as const
const address = {
  value: '<e-mail>',
  required: true,
  bare: true,
  description: 'The address; mail to it with a plus-tag comes too',
} as const

/** Manages which company an SMS number belongs to. */
export const numberCommands = [
  command({
    name: 'number add',
    description: 'Gives a managed SMS number to a company.',
    options: { number, tenant: { ...tenant, required: true } },
    run: ({ number, tenant }) => added(NUMBERS, tenant, ({ country }) => readNumber(number, country)),
  }),
  command({
    name: 'number list',
    description: 'Managed numbers, of all companies or of one.',
    options: { tenant },
    run: ({ tenant }) => list(NUMBERS, tenant),
  }),
  command({
    name: 'number remove',
    description: 'Takes a number away; what is sent to it goes to quarantine.',
    options: { number },
    run: ({ number }) => removed(NUMBERS, readNumber(number, 'US')),
  }),
]

/** Manages which company an inbound address belongs to. */
export const mailboxCommands = [
  command({
    name: 'mailbox add',
    description: 'Gives an inbound e-mail address to a company.',
    options: { address, tenant: { ...tenant, required: true } },
    run: ({ address, tenant }) => added(MAILBOXES, tenant, () => readMailbox(address)),
  }),
  command({
    name: 'mailbox list',
    description: 'Inbound addresses, of all companies or of one.',
    options: { tenant },
    run: ({ tenant }) => list(MAILBOXES, tenant),
  }),
  command({
    name: 'mailbox remove',
    description: 'Takes an address away; what is sent to it goes to quarantine.',
    options: { address },
    run: ({ address }) => removed(MAILBOXES, readMailbox(address)),
  }),
]

type Kind = typeof NUMBERS

async function added(kind: Kind, tenant: string, read: (company: CompanySummary) => string): Promise<Report> {
  return reported(
    kind,
    await onCompany(tenant, (database, company) => addChannel(database, kind, company.id, read(company))),
  )
}

async function list(kind: Kind, tenant: string | undefined): Promise<Report> {
  const places = await onDatabase(async ({ database }) =>
    listChannels(database, kind, tenant === undefined ? undefined : (await findTenant(database, tenant)).id),
  )
  const rows = places.map(({ place, tenant_id, created_at }) => [place, tenant_id, created_at.slice(0, 10)])
  return {
    json: places.map((place) => shown(kind, place)),
    text: listed([kind.what.toUpperCase(), 'COMPANY', 'SINCE'], rows, `There is no ${kind.what}.`),
  }
}

const removed = async (kind: Kind, place: string): Promise<Report> =>
  reported(kind, await onDatabase(({ database }) => removeChannel(database, kind, place)))

const reported = (kind: Kind, place: Channel): Report => ({
  json: shown(kind, place),
  text: aligned([
    [kind.what === 'number' ? 'Number' : 'Mailbox', place.place],
    ['Company', place.tenant_id],
  ]),
})

const shown = ({ what }: Kind, { place, tenant_id, created_at }: Channel) => ({
  [what === 'number' ? 'number' : 'address']: place,
  tenant_id,
  created_at,
})

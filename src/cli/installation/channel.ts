import {
  MAILBOXES,
  NUMBERS,
  addChannel,
  listChannels,
  parseMailbox,
  parseNumber,
  removeChannel,
  type InboundChannel,
} from '../../messaging/inbox/directory.ts'
import { findTenant, type CompanySummary } from '../../identity/companies/tenants.ts'
import { alignColumns, formatTable } from '../columns.ts'
import { command, type Report } from '../command.ts'
import { withCompany, withDatabase } from '../with_database.ts'

const tenant = { value: '<id>', description: 'Id of the company' } as const
const number = {
  value: '<number>',
  required: true,
  bare: true,
  description: 'Number, preferably with its country code: +16175550123',
} as const
const address = {
  value: '<email>',
  required: true,
  bare: true,
  description: 'Address, which also receives mail with a plus tag',
} as const

/** Commands that assign SMS numbers to companies. */
export const numberCommands = [
  command({
    name: 'number add',
    description: 'Assigns a managed SMS number to a company.',
    options: { number, tenant: { ...tenant, required: true } },
    run: ({ number, tenant }) => addAndReport(NUMBERS, tenant, ({ country }) => parseNumber(number, country)),
  }),
  command({
    name: 'number list',
    description: 'Lists the managed numbers of all companies, or of one.',
    options: { tenant },
    run: ({ tenant }) => listAndReport(NUMBERS, tenant),
  }),
  command({
    name: 'number remove',
    description: 'Removes a number. Messages to it go to quarantine.',
    options: { number },
    run: ({ number }) => removeAndReport(NUMBERS, parseNumber(number, 'US')),
  }),
]

/** Commands that assign inbound email addresses to companies. */
export const mailboxCommands = [
  command({
    name: 'mailbox add',
    description: 'Assigns an inbound email address to a company.',
    options: { address, tenant: { ...tenant, required: true } },
    run: ({ address, tenant }) => addAndReport(MAILBOXES, tenant, () => parseMailbox(address)),
  }),
  command({
    name: 'mailbox list',
    description: 'Lists the inbound addresses of all companies, or of one.',
    options: { tenant },
    run: ({ tenant }) => listAndReport(MAILBOXES, tenant),
  }),
  command({
    name: 'mailbox remove',
    description: 'Removes an address. Mail to it goes to quarantine.',
    options: { address },
    run: ({ address }) => removeAndReport(MAILBOXES, parseMailbox(address)),
  }),
]

type ChannelKind = typeof NUMBERS

async function addAndReport(
  kind: ChannelKind,
  tenant: string,
  parse: (company: CompanySummary) => string,
): Promise<Report> {
  return reportChannel(
    kind,
    await withCompany(tenant, (database, company) => addChannel(database, kind, company.id, parse(company))),
  )
}

async function listAndReport(kind: ChannelKind, tenant: string | undefined): Promise<Report> {
  const channels = await withDatabase(async ({ database }) =>
    listChannels(database, kind, tenant === undefined ? undefined : (await findTenant(database, tenant)).id),
  )
  const rows = channels.map(({ address: channelAddress, tenant_id, created_at }) => [
    channelAddress,
    tenant_id,
    created_at.slice(0, 10),
  ])
  return {
    json: channels.map((channel) => toChannelView(kind, channel)),
    text: formatTable(
      [kind.what.toUpperCase(), 'COMPANY', 'SINCE'],
      rows,
      `No ${kind.what === 'number' ? 'numbers' : 'mailboxes'}.`,
    ),
  }
}

const removeAndReport = async (kind: ChannelKind, channelAddress: string): Promise<Report> =>
  reportChannel(kind, await withDatabase(({ database }) => removeChannel(database, kind, channelAddress)))

const reportChannel = (kind: ChannelKind, channel: InboundChannel): Report => ({
  json: toChannelView(kind, channel),
  text: alignColumns([
    [kind.what === 'number' ? 'Number' : 'Mailbox', channel.address],
    ['Company', channel.tenant_id],
  ]),
})

const toChannelView = ({ what }: ChannelKind, { address: channelAddress, tenant_id, created_at }: InboundChannel) => ({
  [what === 'number' ? 'number' : 'address']: channelAddress,
  tenant_id,
  created_at,
})

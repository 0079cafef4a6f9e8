import { isOperator } from '../../../identity/people/operators.ts'
import { redirect } from '../../../platform/http/answer.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { facts } from '../../../platform/html/parts/facts.ts'
import { field } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import {
  MAILBOXES,
  NUMBERS,
  addChannelAsOperator,
  listChannels,
  parseMailbox,
  parseNumber,
  removeChannel,
  type InboundChannel,
} from '../../../messaging/inbox/directory.ts'
import { say } from '../../../platform/i18n/say.ts'
import { notFound, type Refusal } from '../../../platform/errors/refusal.ts'
import { moment, phone } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import { mailText } from '../../../records/page/contact_links.ts'
import { isOwnContext, type MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, settingsPath, requireOwner, settingsPage } from '../settings_page.ts'

/** Kinds of channels for inbound messages. */
const KINDS = {
  numbers: {
    kind: NUMBERS,
    title: () => say`SMS numbers`,
    label: () => say`Number`,
    addLabel: () => say`New number`,
    empty: () => say`No numbers yet.`,
    read: parseNumber,
    show: (number: string) => html`<span class="one-line">${phone(number)}</span>`,
  },
  mailboxes: {
    kind: MAILBOXES,
    title: () => say`Mailboxes`,
    label: () => say`Address`,
    addLabel: () => say`New address`,
    empty: () => say`No mailboxes yet.`,
    read: (text: string) => parseMailbox(text),
    show: mailText,
  },
}
type Kind = keyof typeof KINDS

export async function showInboundAddresses(site: Site, request: PageRequest): Promise<Response> {
  return page(site, await requireOwner(site, request))
}

/** Assigns a number or mailbox to the company. Only operators may, since it receives all messages sent there. */
export async function saveInboundAddress(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  const kind = sent.get('kind') === 'mailboxes' ? 'mailboxes' : 'numbers'
  return catchRefusal(
    async () => {
      const { kind: channelKind, read } = KINDS[kind]
      const address = sent.get('place') ?? ''
      if (sent.get('act') === 'remove')
        await requireOwnChannel(site, context, kind, address).then(() =>
          removeChannel(site.database, channelKind, address, { user: context.user.id }, context.company.id),
        )
      else await addChannel(site, context, channelKind, read(address, context.company.country))
      return redirect(settingsPath(context, 'places'))
    },
    (refusal) => page(site, context, refusal),
  )
}

/** Adds a channel for an operator who is signed in with their own account. */
function addChannel(
  { database }: Site,
  context: MemberContext,
  kind: typeof NUMBERS,
  address: string,
): Promise<unknown> {
  if (!isOwnContext(context)) throw notFound('operator')
  return addChannelAsOperator(database, kind, context.company.id, address, { user: context.user.id })
}

/** Checks for an operator signed in with their own account. A company's provider can't vouch for operators. */
const isOperatorHere = async ({ database }: Site, context: MemberContext): Promise<boolean> =>
  isOwnContext(context) && (await isOperator(database, context.user.id))

async function requireOwnChannel(site: Site, context: MemberContext, kind: Kind, address: string): Promise<void> {
  const own = await listChannels(site.database, KINDS[kind].kind, context.company.id)
  if (!own.some((channel) => channel.address === address)) throw notFound('place')
}

async function page(site: Site, context: MemberContext, refusal?: Refusal): Promise<Response> {
  const [canAdd, ...channels] = await Promise.all([
    isOperatorHere(site, context),
    ...(['numbers', 'mailboxes'] as const).map(async (kind) => ({
      kind,
      rows: await listChannels(site.database, KINDS[kind].kind, context.company.id),
    })),
  ])
  return settingsPage(
    context,
    'places',
    say`Numbers and mailboxes`,
    html`
<p class="lead">${say`Messages that customers send here show up on their record.`}</p>${when(
      !canAdd,
      () => html`
<p>${say`Only this service's administrator can add them.`}</p>`,
    )}
${await sendingPart(site, context, channels[0]?.rows[0]?.address)}
<div class="column">${channels.map(({ kind, rows }) => section(context, kind, rows, canAdd))}</div>`,
    refusal,
  )
}

/** Draws the senders of the company's email and text messages. */
async function sendingPart({ senders }: Site, context: MemberContext, number: string | undefined): Promise<Html> {
  const [canEmail, canText] = await Promise.all([context.canSend('email'), context.canSend('sms')])
  const from = number ?? senders.sms?.from
  const none = say`No sender yet. Ask this service's administrator to set one up.`
  return html`
<section class="part" id="sending">
  <header class="part-head"><h2>${say`What you send`}</h2></header>
  ${facts([
    { label: say`Email`, value: canEmail ? mailText(senders.email!.from.address) : none },
    { label: say`Text messages`, value: canText && from != null ? phone(from) : none },
  ])}
</section>`
}

const section = (context: MemberContext, kind: Kind, rows: readonly InboundChannel[], canAdd: boolean): Html => {
  const { title, label, addLabel, empty, show } = KINDS[kind]
  return part(
    title(),
    html`
${table<InboundChannel>({
  caption: title(),
  isCaptionHidden: true,
  rows,
  empty: empty(),
  columns: [
    { label: label(), cell: ({ address }) => show(address) },
    { label: say`Added`, cell: ({ created_at }) => moment(created_at, context.company.timezone) },
    {
      label: say`Remove`,
      cell: ({ address }) =>
        html`<form method="post"
          action="${settingsPath(context, 'places')}"><input type="hidden" name="kind" value="${kind}"><input type="hidden" name="place" value="${address}">${button(
            { label: say`Remove`, kind: 'danger', name: 'act', value: 'remove' },
          )}</form>`,
    },
  ],
})}${when(
      canAdd,
      () => html`
<form class="form" method="post" action="${settingsPath(context, 'places')}">
  <input type="hidden" name="kind" value="${kind}">
  ${field({ name: 'place', label: addLabel(), isRequired: true })}
  <p class="actions">${button({ label: say`Add` })}</p>
</form>`,
    )}`,
  )
}

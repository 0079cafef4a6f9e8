import { findStepsDone, hideFirstSteps, type StepsDone } from '../../identity/companies/first_steps.ts'
import { noTaxForm } from '../../records/invoices/index.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { button } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount, sayFor } from '../../platform/i18n/say.ts'
import { part } from '../../records/page/parts.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'

/** Maximum steps in sight; the further ones are a press away. */
const MAX_SHOWN = 4

/**
 * Draws the first steps of a new company for its owner: gone once they are done, put away, or the company isn't new.
 */
export async function firstSteps(site: Site, context: MemberContext): Promise<Html | ''> {
  if (context.visitor.role !== 'owner') return ''
  const done = await context.read(findStepsDone)
  if (done === undefined) return ''
  const steps = listSteps(site, context, { ...done, sender: await hasSenders(site, context) })
  const open = steps.filter(({ isDone }) => !isDone)
  if (open.length === 0) return ''
  const further = [...open.slice(MAX_SHOWN), ...steps.filter(({ isDone }) => isDone)]
  return part(
    say`First steps: ${steps.length - open.length} of ${steps.length} done`,
    html`
  <ol class="agenda first-steps">${open.slice(0, MAX_SHOWN).map(stepRow)}
  </ol>${when(
    further.length > 0,
    () => html`
  <details class="more-steps"><summary>${sayCount(further.length, 'One more step', '{0} more steps')}</summary>
  <ol class="agenda first-steps">${further.map(stepRow)}
  </ol></details>`,
  )}`,
    html`<form method="post" action="${context.path('first-steps')}">${button({
      label: say`Hide`,
      kind: 'quiet',
    })}</form>`,
  )
}

const stepRow = ({ isDone, title, href, says, also = html`` }: Step): Html => html`
    <li><span><a href="${href}">${title}</a><span class="help">${says}</span></span>${
      isDone ? status(sayFor('step')`Done`, 'good') : also
    }</li>`

/** Returns true where mail goes out, and texts too if the installation sends any. */
async function hasSenders({ senders }: Site, context: MemberContext): Promise<boolean> {
  const channels = senders.sms === null ? (['email'] as const) : (['email', 'sms'] as const)
  return (await Promise.all(channels.map(context.canSend))).every(Boolean)
}

/** Puts the first steps away, or shows them again. */
export async function saveFirstSteps(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  if (context.visitor.role !== 'owner') throw notFoundRefusal()
  const shows = (await readFormFields(visit.req.raw)).get('show') !== null
  await context.write((db) => hideFirstSteps(db, !shows, { user: context.user.id }))
  return redirectWithMessage(
    context.path(),
    shows
      ? { sentence: say`The first steps are back.` }
      : {
          sentence: say`The first steps are hidden.`,
          undo: { action: context.path('first-steps'), fields: { show: 'yes' } },
        },
  )
}

/** `also` is another way to be done with it. */
type Step = { isDone: boolean; title: string; href: string; says: string; also?: Html }

const listSteps = (site: Site, context: MemberContext, done: StepsDone & { sender: boolean }): Step[] => [
  ...companySteps(context, done),
  ...connectionSteps(site, context, done),
]

/** Lists what a company says of itself and its work. */
const companySteps = (context: MemberContext, done: StepsDone): Step[] => [
  {
    isDone: done.letterhead,
    title: say`Add your address and logo`,
    href: context.path('settings', 'company'),
    says: say`They are at the head of every quote, invoice and work order.`,
  },
  {
    isDone: done.tax,
    title: say`Set your tax rate`,
    href: context.path('tax_rates', 'new'),
    says: say`Until then quotes and invoices go out without tax.`,
    also: noTaxForm(context, context.path()),
  },
  {
    isDone: done.hours,
    title: say`Set your working hours`,
    href: context.path('settings', 'hours'),
    says: say`Free times are offered within them. Monday to Friday, 8 to 5, until you save others.`,
  },
  {
    isDone: done.customer,
    title: say`Add your first customer`,
    href: context.path('customers', 'new'),
    says: say`Or bring all of them from another product or a table: Settings, Import.`,
  },
  {
    isDone: done.prices,
    title: say`Start your price list`,
    href: context.path('catalog_items', 'new'),
    says: say`Your items fill in quotes and invoices for you.`,
  },
]

/** Lists what leads out: messages, payments, people and assistants. */
const connectionSteps = (site: Site, context: MemberContext, done: StepsDone & { sender: boolean }): Step[] => [
  {
    isDone: done.sender,
    title: say`Set up your e-mail and texts`,
    href: `${context.path('settings', 'places')}#sending`,
    says: say`Quotes, invoices and reminders wait in the Outbox until there is a sender.`,
  },
  ...(site.payments === null
    ? []
    : [
        {
          isDone: done.payments,
          title: say`Take card payments`,
          href: `${context.path('settings', 'company')}#payments`,
          says: say`Customers pay invoices online.`,
        },
      ]),
  {
    isDone: done.people,
    title: say`Invite your team`,
    href: context.path('settings', 'members'),
    says: say`Office staff, and technicians, who see their own day.`,
  },
  {
    isDone: done.assistant,
    title: say`Connect an assistant`,
    href: '/docs',
    says: say`It books jobs, writes quotes and finds answers, with the access you give it.`,
  },
]

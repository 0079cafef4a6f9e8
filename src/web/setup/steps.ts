import { findSetupState, type SetupState } from '../../identity/companies/starting/first_steps.ts'
import { noTaxForm } from '../../records/invoices/index.ts'
import type { Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'

/** Setup steps, in order. */
export const STEP_NAMES = [
  'profile',
  'hours',
  'services',
  'tax',
  'messages',
  'payments',
  'team',
  'customers',
  'assistant',
] as const

export type StepName = (typeof STEP_NAMES)[number]

/** Setup step with its benefit; `alternative` renders another way to complete it. */
export type SetupStep = {
  name: StepName
  isDone: boolean
  title: string
  benefit: string
  alternative?: (here: string) => Html
}

/** Setup of a company: its steps, and whether Today still offers them. */
export type Setup = { steps: readonly SetupStep[]; isOffered: boolean }

/** Returns the setup steps of a company, and which of them are done. */
export async function findSetup(site: Site, context: MemberContext): Promise<Setup> {
  const [state, sender] = await Promise.all([context.read(findSetupState), hasSenders(site, context)])
  const about = describeSteps(context, { ...state, sender })
  const names = STEP_NAMES.filter((name) => name !== 'payments' || site.payments !== null)
  return { steps: names.map((name) => ({ name, ...about[name] })), isOffered: state.isOffered }
}

/** Returns whether email can be sent, and also texts if the installation has a texting account. */
async function hasSenders({ senders }: Site, context: MemberContext): Promise<boolean> {
  const channels = senders.sms === null ? (['email'] as const) : (['email', 'sms'] as const)
  return (await Promise.all(channels.map(context.canSend))).every(Boolean)
}

const describeSteps = (
  context: MemberContext,
  done: SetupState & { sender: boolean },
): Record<StepName, Omit<SetupStep, 'name'>> => ({
  profile: {
    isDone: done.letterhead,
    title: say`Add your address and logo`,
    benefit: say`They appear at the top of every quote, invoice and work order.`,
  },
  hours: {
    isDone: done.hours,
    title: say`Set your working hours`,
    benefit: say`Free times are offered within them. Monday to Friday, 8 to 5, until you save others.`,
  },
  services: {
    isDone: done.prices,
    title: say`Start your price list`,
    benefit: say`Your items fill in quotes and invoices for you.`,
  },
  tax: {
    isDone: done.tax,
    title: say`Set your tax rate`,
    benefit: say`Until then quotes and invoices go out without tax.`,
    alternative: (here) => noTaxForm(context, here),
  },
  messages: {
    isDone: done.sender,
    title: say`Set up your email and texts`,
    benefit: say`Quotes, invoices and reminders wait in the Outbox until there is a sender.`,
  },
  payments: { isDone: done.payments, title: say`Take card payments`, benefit: say`Customers pay invoices online.` },
  team: {
    isDone: done.people,
    title: say`Invite your team`,
    benefit: say`Office staff, and technicians, who see their own day.`,
  },
  customers: {
    isDone: done.customer,
    title: say`Add your first customer`,
    benefit: say`Or import all of them from another product or a spreadsheet: Settings, Import.`,
  },
  assistant: {
    isDone: done.assistant,
    title: say`Connect an assistant`,
    benefit: say`It books jobs, writes quotes and finds answers, with the access you give it.`,
  },
})

import { html, type Html } from '../../../platform/html/html.ts'
import { sayHtml } from '../../../platform/html/say_html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import { money } from '../../format/formats.ts'
import { recordLink } from '../../page/links.ts'
import type { PageContext } from '../../page/page_context.ts'
import type { DeductedDeposit, depositStateOf } from './deposits.ts'
import type { Invoice } from '../fields.ts'

type DepositRole = Awaited<ReturnType<typeof depositStateOf>>

/** Returns the label of a deducted deposit or stage. */
export const deductionLabel = ({ is_stage, display_number }: DeductedDeposit): string =>
  is_stage ? say`Stage ${display_number}` : say`Deposit ${display_number}`

/** Renders a notice that an invoice is a deposit and is deducted by others, or deducts a void deposit. */
export function depositNotice(
  context: PageContext,
  { currency }: Invoice,
  deductions: readonly DeductedDeposit[],
  role: DepositRole,
): Html | '' {
  const voided = deductions.filter(({ status }) => status === 'void')
  if (voided.length > 0) {
    const names = voided.map(({ display_number }) => display_number).join(', ')
    const sum = voided.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
    return notice({
      kind: 'warning',
      title: say`The deposit ${names} is void`,
      body: say`This invoice still deducts ${money(sum, currency)} for it. Put it back to draft to bill that too.`,
    })
  }
  if (role?.is_deposit !== true) return ''
  const links = role.deducted_by.map(({ id, display_number }) => recordLink(context, 'invoices', id, display_number))
  return notice({
    kind: 'info',
    title: role.is_stage ? say`This is a stage, billed on account` : say`This is a deposit`,
    body:
      links.length === 0
        ? say`The next invoice of the quote or its job deducts it.`
        : sayHtml`It is deducted on ${html`${links.map((link, i) => html`${i === 0 ? '' : ', '}${link}`)}`}.`,
  })
}

import { say } from '../../../platform/i18n/say.ts'

/** Returns what a customer agrees to who saves a card or bank account. It is kept as they read it. */
export const savingText = (company: string): string =>
  say`I allow ${company} to charge this card or bank account for invoices that I owe them, after I agreed to the charge or to automatic payments. A charge is never more than what is left to pay on the invoice. I get a receipt for each charge, and can remove the card or account here at any time.`

/** Returns what a customer agrees to who has invoices charged when they are due: those of a plan, or all. */
export const autopayText = (company: string, plan: string | null): string =>
  plan === null
    ? say`I allow ${company} to charge my saved card or bank account for each invoice when it is due. They tell me the amount and the day at least one day before. A charge that fails is tried again up to three times within 15 days. I can stop this here at any time before a charge.`
    : say`I allow ${company} to charge my saved card or bank account for each invoice of the plan “${plan}” when it is due. They tell me the amount and the day at least one day before. A charge that fails is tried again up to three times within 15 days. I can stop this here at any time before a charge.`

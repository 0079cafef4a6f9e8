import { say } from '../../../platform/i18n/say.ts'

/** Returns the consent to save a card or bank account. It is stored as the customer read it. */
export const savingText = (company: string): string =>
  [
    say`I allow ${company} to charge this card or bank account for invoices that I owe them.`,
    say`They do so only after I agreed to the charge or to automatic payments.`,
    say`A charge is never more than what is left to pay on the invoice, and I get a receipt.`,
    say`I can remove the card or account here at any time.`,
  ].join(' ')

/** Returns the consent to automatic payments: for the invoices of a plan, or for all invoices. */
export const autopayText = (company: string, plan: string | null): string =>
  [
    plan === null
      ? say`I allow ${company} to charge my saved card or bank account for each invoice when it is due.`
      : say`I allow ${company} to charge my saved card or bank account for each invoice of “${plan}” when it is due.`,
    say`They tell me the amount and the day at least one day before.`,
    say`A charge that fails is tried again up to three times within 15 days.`,
    say`I can stop this here at any time before a charge.`,
  ].join(' ')

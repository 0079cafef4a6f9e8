import type { TextSubject } from './reader.ts'

/** Lists the forms of Spanish words that agree with something else than one masculine noun. */
export const GRAMMAR = ['f', 'mp', 'fp'] as const

type Grammar = (typeof GRAMMAR)[number]

const GRAMMAR_OF: Readonly<Partial<Record<TextSubject, Grammar>>> = {
  category: 'f',
  company: 'f',
  conversations: 'fp',
  dispute: 'f',
  import: 'f',
  invoice: 'f',
  invoices: 'fp',
  jobs: 'mp',
  location: 'f',
  note: 'f',
  quote: 'f',
  quotes: 'fp',
  requests: 'fp',
  tag: 'f',
  tax_rate: 'f',
  visit: 'f',
  work_order: 'f',
}

/** Returns the form that agrees with the Spanish noun of a thing; the plain form is masculine and singular. */
export const grammarOf = (subject: TextSubject): Grammar | undefined => GRAMMAR_OF[subject]

import type { TextSubject } from './reader.ts'

/** Forms of Spanish words that agree with anything but a masculine singular noun. */
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

/** Returns the form that agrees with a subject's Spanish noun; undefined for masculine singular. */
export const grammarOf = (subject: TextSubject): Grammar | undefined => GRAMMAR_OF[subject]

import { wholeNumber } from '../parsers.ts'
import { setting, topic } from '../setting.ts'

export const companies = topic('New companies', {
  newCompaniesPerDay: setting('NEW_COMPANIES_PER_DAY', {
    parse: wholeNumber(0, 10_000),
    default: 0,
    about: 'Maximum number of companies that people can create at `/start` per day; 0 for none.',
    more: 'They verify their email address. Operators can create any number with `callout tenant create`.',
  }),
})

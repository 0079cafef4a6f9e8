import { wholeNumber } from '../parsers.ts'
import { setting, topic } from '../setting.ts'

export const companies = topic('New companies', {
  newCompaniesPerDay: setting('NEW_COMPANIES_PER_DAY', {
    parse: wholeNumber(0, 10_000),
    default: 0,
    about: 'Maximum number of companies that people may start on the page `/start` in a day; 0 for none.',
    more: 'They prove their address by a mailed link. Operators make any number with `callout tenant create`.',
  }),
})

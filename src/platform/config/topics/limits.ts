import { wholeNumber } from '../parsers.ts'
import { setting, topic } from '../setting.ts'

export const limits = topic('Rate limits', {
  rateLimitPerCredential: setting('RATE_LIMIT_PER_CREDENTIAL', {
    parse: wholeNumber(),
    default: 1_200,
    about: 'Maximum number of requests per minute per credential; 0 for no limit.',
  }),
  rateLimitPerTenant: setting('RATE_LIMIT_PER_TENANT', {
    parse: wholeNumber(),
    default: 6_000,
    about: 'Maximum number of requests per minute for all credentials of a company; 0 for no limit.',
  }),
})

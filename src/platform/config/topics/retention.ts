import { wholeNumber } from '../parsers.ts'
import { setting, topic } from '../setting.ts'

/** Days to keep data after it is closed. 0 keeps it forever. */
export type RetentionConfig = { paymentEventDays: number; quarantineDays: number }

const days = wholeNumber(0, 36_500)

export const retention = topic(
  'Retention',
  {
    paymentEventDays: setting('PAYMENT_EVENT_DAYS', {
      parse: days,
      default: 400,
      about: 'Days to keep a raw payment event after it was applied, had no effect or was discarded; 0 means forever.',
    }),
    quarantineDays: setting('QUARANTINE_DAYS', {
      parse: days,
      default: 90,
      about: 'Days to keep a quarantined message after it was assigned or discarded; 0 means forever.',
    }),
  },
  (retention): { retention: RetentionConfig } => ({ retention }),
)

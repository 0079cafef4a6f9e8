import { wholeNumber } from '../parsers.ts'
import { setting, topic } from '../setting.ts'

/** Free bytes below which a disk counts as almost full, however large its free share. */
const MIN_FREE_BYTES = 2 ** 30

export const health = topic(
  'Health',
  {
    minFreePercent: setting('DISK_MIN_FREE_PERCENT', {
      parse: wholeNumber(0, 100),
      default: 5,
      about: 'Minimum free disk space in percent: `doctor` and the health page report a disk below it, or below 1 GiB.',
    }),
  },
  ({ minFreePercent }) => ({ minFree: { bytes: MIN_FREE_BYTES, share: minFreePercent / 100 } }),
)

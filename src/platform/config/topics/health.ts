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
      about: 'Free share of a disk, in percent, below which `doctor` and the health page report it; 1 GiB at least.',
    }),
  },
  ({ minFreePercent }) => ({ minFree: { bytes: MIN_FREE_BYTES, share: minFreePercent / 100 } }),
)

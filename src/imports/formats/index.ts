import type { SourceFormat } from './source_format.ts'
import { HOUSECALL_PRO } from './housecall_pro.ts'
import { JOBBER } from './jobber.ts'
import { PLAIN } from './plain.ts'
import { QUICKBOOKS } from './quickbooks.ts'
import { SERVICETITAN } from './servicetitan.ts'

/** Source formats of all products. docs/spec/coming.md cites where each one is described. */
export const SOURCE_FORMATS: readonly SourceFormat[] = [
  ...JOBBER,
  ...HOUSECALL_PRO,
  ...SERVICETITAN,
  ...QUICKBOOKS,
  ...PLAIN,
]

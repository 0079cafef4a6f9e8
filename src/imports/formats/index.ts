import type { SourceFormat } from './source_format.ts'
import { HOUSECALL_PRO } from './housecall_pro.ts'
import { JOBBER } from './jobber.ts'
import { PLAIN } from './plain.ts'
import { QUICKBOOKS } from './quickbooks.ts'
import { SERVICETITAN } from './servicetitan.ts'

/** What is known of the columns of each product; docs/spec/coming.md says where each is described. */
export const SOURCE_FORMATS: readonly SourceFormat[] = [
  ...JOBBER,
  ...HOUSECALL_PRO,
  ...SERVICETITAN,
  ...QUICKBOOKS,
  ...PLAIN,
]

import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import type { Screen } from '../../records/page/screen.ts'

/** Reads the form of a whole record with its lines: whatever its tool takes can be saved on its page. */
export const readRecordForm = (
  visit: PageRequest,
  { entity: { tools } }: Screen,
  verb: 'create' | 'update',
): Promise<URLSearchParams> =>
  readFormFields(visit.req.raw, tools.find((tool) => tool.verb === verb)?.inputLimits.formBytes)

import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import type { Screen } from '../../records/page/screen.ts'

/** Reads a whole record's form with its lines. The size limit is that of its tool, so the page accepts as much. */
export const readRecordForm = (
  request: PageRequest,
  { entity: { tools } }: Screen,
  verb: 'create' | 'update',
): Promise<URLSearchParams> =>
  readFormFields(request.req.raw, tools.find((tool) => tool.verb === verb)?.inputLimits.formBytes)

import { redirect } from '../../platform/http/answer.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { saveMissingTime, showMissingTime } from '../time_sheets/correcting.ts'
import { changeEquipment, showEquipment } from './equipment.ts'
import { chooseChecklist, saveAnswers } from './checklists.ts'
import { showSigning, saveSignature } from './signing.ts'
import { saveTime } from './time_part.ts'

const COMPANY = '/:tenant{[0-9a-f-]{36}}'
const JOB = `${COMPANY}/jobs/:id{[0-9a-f-]{36}}`

/** Returns the pages of records that no tool covers: checklists, time and signatures of a visit, and equipment. */
export const visitRecordRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${JOB}/checklists`]: { get: (_, request) => redirect(jobPath(request, 'checklists')), post: saveAnswers },
    [`${JOB}/checklists/choice`]: { post: chooseChecklist },
    [`${JOB}/time`]: { get: (_, request) => redirect(jobPath(request, 'time')), post: saveTime },
    [`${JOB}/time/new`]: { get: showMissingTime, post: saveMissingTime },
    [`${COMPANY}/locations/:location{[0-9a-f-]{36}}/equipment`]: { get: showEquipment, post: changeEquipment },
    [`${COMPANY}/equipment/:id{[0-9a-f-]{36}}`]: { get: showEquipment, post: changeEquipment },
    [`${JOB}/sign`]: { get: showSigning, post: saveSignature },
  })

const jobPath = ({ req }: PageRequest, part: string): string =>
  `/${req.param('tenant')}/jobs/${req.param('id')}#${part}`

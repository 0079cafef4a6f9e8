import { redirect } from '../../platform/http/answer.ts'
import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { saveMissingTime, showMissingTime } from '../time_sheets/correcting.ts'
import { changeEquipment, showEquipment } from './equipment.ts'
import { chooseChecklist, saveAnswers } from './checklists.ts'
import { showSigning, sign } from './signing.ts'
import { saveTime } from './time_part.ts'

const COMPANY = '/:tenant{[0-9a-f-]{36}}'
const JOB = `${COMPANY}/jobs/:id{[0-9a-f-]{36}}`

/** Returns what is recorded beyond the tools: checklists, time and signatures of a visit, and the equipment there. */
export const visitRecordRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${JOB}/checklists`, (visit) => redirect(pageOf(visit, 'checklists')))
    .post((visit) => saveAnswers(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${JOB}/checklists/choice`, (visit) => chooseChecklist(site, visit))
    .all(methodNotAllowed('POST'))
    .get(`${JOB}/time`, (visit) => redirect(pageOf(visit, 'time')))
    .post((visit) => saveTime(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${JOB}/time/new`, (visit) => showMissingTime(site, visit))
    .post((visit) => saveMissingTime(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${COMPANY}/locations/:location{[0-9a-f-]{36}}/equipment`, (visit) => showEquipment(site, visit))
    .post((visit) => changeEquipment(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${COMPANY}/equipment/:id{[0-9a-f-]{36}}`, (visit) => showEquipment(site, visit))
    .post((visit) => changeEquipment(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${JOB}/sign`, (visit) => showSigning(site, visit))
    .post((visit) => sign(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))

const pageOf = ({ req }: PageRequest, part: string): string => `/${req.param('tenant')}/jobs/${req.param('id')}#${part}`

import { redirect } from '../../platform/http/answer.ts'
import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages, type Visit } from '../../platform/http/visit.ts'
import type { Site } from '../site.ts'
import { saveForgotten, showForgotten } from '../time_sheets/correcting.ts'
import { chooseChecklist, saveAnswers } from './checklists.ts'
import { showSigning, sign } from './signing.ts'
import { saveTime } from './time_part.ts'

const JOB = '/:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}'

/** Returns what is recorded of a visit beyond its tools: checklists, time and signatures. */
export const visitRecordRoutes = (site: Site): Pages =>
  newPages()
    .get(`${JOB}/checklists`, (visit) => redirect(pageOf(visit, 'checklists')))
    .post((visit) => saveAnswers(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .post(`${JOB}/checklists/choice`, (visit) => chooseChecklist(site, visit))
    .all(wrongMethod('POST'))
    .get(`${JOB}/time`, (visit) => redirect(pageOf(visit, 'time')))
    .post((visit) => saveTime(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${JOB}/time/new`, (visit) => showForgotten(site, visit))
    .post((visit) => saveForgotten(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${JOB}/sign`, (visit) => showSigning(site, visit))
    .post((visit) => sign(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))

const pageOf = ({ req }: Visit, part: string): string => `/${req.param('tenant')}/jobs/${req.param('id')}#${part}`

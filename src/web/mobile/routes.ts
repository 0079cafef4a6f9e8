import { jsonAnswer } from '../../platform/errors/http_refusal.ts'
import { responseOf } from '../../platform/http/answer.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { receiveEvents } from './field_events.ts'
import { showDay } from './day.ts'
import { createPayCode } from './pay_code.ts'
import { savePush } from './push.ts'
import { receiveChunk, showPicture, showUpload } from './photos.ts'

const COMPANY = '/field/:tenant{[0-9a-f-]{36}}'

/** Returns the endpoints of a technician's phone (docs/spec/field.md). */
export const fieldRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${COMPANY}/day.json`, (visit) => showDay(site, visit))
    .all(wrongWay('GET, HEAD'))
    .post(`${COMPANY}/acts`, (visit) => receiveEvents(site, visit))
    .all(wrongWay('POST'))
    .put(`${COMPANY}/push`, (visit) => savePush(site, visit))
    .all(wrongWay('PUT'))
    .post(`${COMPANY}/pay-codes/:invoice{[0-9a-f-]{36}}`, (visit) => createPayCode(site, visit))
    .all(wrongWay('POST'))
    .get(`${COMPANY}/pictures/:id{[0-9a-f-]{36}}`, (visit) => showPicture(site, visit))
    .all(wrongWay('GET, HEAD'))
    .get(`${COMPANY}/photos/:act{[0-9a-f-]{36}}`, (visit) => showUpload(site, visit))
    .put((visit) => receiveChunk(site, visit))
    .all(wrongWay('GET, HEAD, PUT'))

/** Returns 405 for a method the path doesn't support. */
const wrongWay = (allowed: string) => (): Response =>
  responseOf(
    jsonAnswer(
      405,
      { error: 'wrong_method', error_description: `This address answers ${allowed}` },
      { Allow: allowed },
    ),
  )

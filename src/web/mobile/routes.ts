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
    .get(`${COMPANY}/day.json`, (request) => showDay(site, request))
    .all(rejectMethod('GET, HEAD'))
    .post(`${COMPANY}/acts`, (request) => receiveEvents(site, request))
    .all(rejectMethod('POST'))
    .put(`${COMPANY}/push`, (request) => savePush(site, request))
    .all(rejectMethod('PUT'))
    .post(`${COMPANY}/pay-codes/:invoice{[0-9a-f-]{36}}`, (request) => createPayCode(site, request))
    .all(rejectMethod('POST'))
    .get(`${COMPANY}/pictures/:id{[0-9a-f-]{36}}`, (request) => showPicture(site, request))
    .all(rejectMethod('GET, HEAD'))
    .get(`${COMPANY}/photos/:act{[0-9a-f-]{36}}`, (request) => showUpload(site, request))
    .put((request) => receiveChunk(site, request))
    .all(rejectMethod('GET, HEAD, PUT'))

/** Returns 405 for a method the path doesn't support. */
const rejectMethod = (allowed: string) => (): Response =>
  responseOf(
    jsonAnswer(
      405,
      { error: 'wrong_method', error_description: `This address accepts ${allowed}` },
      { Allow: allowed },
    ),
  )

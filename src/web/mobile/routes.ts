import { jsonAnswer } from '../../platform/errors/http_refusal.ts'
import { responseOf } from '../../platform/http/answer.ts'
import { newPages, type Pages } from '../../platform/http/visit.ts'
import type { Site } from '../site.ts'
import { receiveActs } from './acts.ts'
import { showDay } from './day.ts'
import { receivePiece, showReceived } from './photos.ts'

const COMPANY = '/field/:tenant{[0-9a-f-]{36}}'

/** Returns what a technician's phone asks and sends (docs/spec/field.md). */
export const fieldRoutes = (site: Site): Pages =>
  newPages()
    .get(`${COMPANY}/day.json`, (visit) => showDay(site, visit))
    .all(wrongWay('GET, HEAD'))
    .post(`${COMPANY}/acts`, (visit) => receiveActs(site, visit))
    .all(wrongWay('POST'))
    .get(`${COMPANY}/photos/:act{[0-9a-f-]{36}}`, (visit) => showReceived(site, visit))
    .put((visit) => receivePiece(site, visit))
    .all(wrongWay('GET, HEAD, PUT'))

/** Answers a phone that asks in another way than an address takes. */
const wrongWay = (allowed: string) => (): Response =>
  responseOf(
    jsonAnswer(
      405,
      { error: 'wrong_method', error_description: `This address answers ${allowed}` },
      { Allow: allowed },
    ),
  )

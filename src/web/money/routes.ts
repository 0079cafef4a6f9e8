import { wrongMethod } from '../../html/message.ts'
import { newPages, type Pages } from '../../html/visit.ts'
import type { Site } from '../site.ts'
import { recordPayment, showPayment } from './payment.ts'
import { askTakeBack, takeBack } from './taking_back.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const INVOICE = `${TENANT}/invoices/:id{[0-9a-f-]{36}}`
const PAYMENT = `${INVOICE}/payments/:payment{[0-9a-f-]{36}}`

/** Returns the pages of the company's money: payments that people record, reports, and files for the books. */
export const moneyRoutes = (site: Site): Pages =>
  newPages()
    .get(`${INVOICE}/payment`, (visit) => showPayment(site, visit))
    .post((visit) => recordPayment(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${PAYMENT}/take-back`, (visit) => askTakeBack(site, visit))
    .post((visit) => takeBack(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))

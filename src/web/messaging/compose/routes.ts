import type { PageRouter } from '../../../platform/http/page_request.ts'
import { pageRoutes } from '../../page_routes.ts'
import type { Site } from '../../site.ts'
import { saveExclusion } from './exclusion.ts'
import { submitMessage, showMessageForm } from './messages.ts'
import { sendOnMyWay, showOnMyWay } from './on_my_way.ts'
import { sendReminders, showReminders, showReminderRun } from './bulk_reminders.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const RECORD = `${TENANT}/:topic{invoices|quotes|jobs}/:id{[0-9a-f-]{36}}`

/** Returns the pages that send documents, visit messages, on-my-way texts and reminders. */
export const sendingRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${RECORD}/send`]: { get: showMessageForm, post: submitMessage },
    [`${TENANT}/jobs/:id{[0-9a-f-]{36}}/on-my-way`]: { get: showOnMyWay, post: sendOnMyWay },
    [`${TENANT}/invoices/remind`]: { get: showReminders, post: sendReminders },
    [`${TENANT}/invoices/remind/:run{[0-9a-f-]{36}}`]: { get: showReminderRun },
    [`${TENANT}/customers/:id{[0-9a-f-]{36}}/reminders`]: { post: saveExclusion },
  })

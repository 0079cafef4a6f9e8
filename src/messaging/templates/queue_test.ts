import type { Db } from '../../platform/db/tenant.ts'
import { queueMessage } from '../outbox/queue.ts'
import { fillPlaceholders } from './placeholders.ts'
import { previewMessage } from './preview.ts'
import { parseTemplate, type TemplateKey } from './templates.ts'

/** Unsaved template, and the recipient of a test. */
type TestMessage = {
  key: TemplateKey
  draft: { subject: string; body: string }
  to: string
  by: { id: string; name: string }
}

/** Queues an unsaved template to its author as a test, filled in as in the preview. */
export async function queueTest(
  db: Db,
  { key, draft, to, by }: TestMessage,
  { baseUrl, currency }: { baseUrl: string; currency: string },
): Promise<unknown> {
  const template = parseTemplate(key, draft)
  const { values } = await previewMessage(db, key, baseUrl, currency)
  return queueMessage(db, {
    channel: key.channel,
    to,
    toName: by.name,
    ...(template.subject === null ? {} : { subject: fillPlaceholders(template.subject, values) }),
    body: fillPlaceholders(template.body, values),
    about: null,
    customerId: null,
    cause: 'test',
    by: by.id,
  })
}

import type { Db } from '../../platform/db/tenant.ts'
import { queueMessage } from '../outbox/queue.ts'
import { fillPlaceholders } from './placeholders.ts'
import { previewMessage } from './preview.ts'
import { parseTemplate, type TemplateKey } from './templates.ts'

/** A template as somebody wrote it, and who gets it as a test. */
type TestMessage = {
  key: TemplateKey
  words: { subject: string; body: string }
  to: string
  by: { id: string; name: string }
}

/** Queues a message in words that aren't saved yet, filled as in the preview, to whoever writes them. */
export async function queueTest(
  db: Db,
  { key, words: draft, to, by }: TestMessage,
  { baseUrl, currency }: { baseUrl: string; currency: string },
): Promise<unknown> {
  const words = parseTemplate(key, draft)
  const { fillings } = await previewMessage(db, key, baseUrl, currency)
  return queueMessage(db, {
    channel: key.channel,
    to,
    toName: by.name,
    ...(words.subject === null ? {} : { subject: fillPlaceholders(words.subject, fillings) }),
    body: fillPlaceholders(words.body, fillings),
    about: null,
    customerId: null,
    cause: 'test',
    by: by.id,
  })
}

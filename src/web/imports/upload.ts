import type { PageRequest } from '../../platform/http/page_request.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { refusals } from '../refusals.ts'

/** Maximum bytes of the form, its file included. */
const MAX_BYTES = 5 * 2 ** 20

/** Uploaded file, with the other form fields. */
type UploadedTable = { name: string; content: Buffer; fields: ReadonlyMap<string, string> }

/** Returns the only file of a form, within the size limit. */
export async function receiveTable(site: Site, context: MemberContext, { req }: PageRequest): Promise<UploadedTable> {
  const sent = await site.uploads.receive(req.raw, MAX_BYTES, context.company.id)
  try {
    const file = sent.files.find(({ field, size }) => field === 'file' && size > 0)
    if (file === undefined) throw invalidField('file', refusals.noImportFile())
    if (/\p{Cc}/u.test(file.name)) throw invalidField('file', refusals.controlCharactersInName())
    return {
      name: file.name.slice(0, 200).toWellFormed(),
      content: Buffer.from(await file.withContent((content) => new Response(content).arrayBuffer())),
      fields: new Map(sent.fields),
    }
  } finally {
    await sent.release()
  }
}

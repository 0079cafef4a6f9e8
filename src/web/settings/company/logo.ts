import { MAX_LOGO_BYTES, openLogo, removeLogo, setLogo } from '../../../files/logo.ts'
import { ownPath } from '../../../platform/http/answer.ts'
import type { UploadedForm } from '../../../platform/http/upload.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { showCompany } from './company.ts'
import { catchRefusal, settingsPath, requireOwner } from '../settings_page.ts'
import { refusals } from '../../refusals.ts'

/** Maximum bytes of a form with a logo: the file, plus the form data around it. */
const MAX_FORM_BYTES = MAX_LOGO_BYTES + 64 * 2 ** 10

/** Shows the logo to every member of the company. */
export async function showLogo(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const { headers, body } = await context.read((db) => openLogo(db, request.req.param('id')!))
  return new Response(request.req.method === 'HEAD' ? null : body, { headers })
}

export async function saveLogo(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const sent = await site.uploads.receive(request.req.raw, MAX_FORM_BYTES, context.company.id)
  return catchRefusal(
    () => uploadLogo(site, context, sent).finally(sent.release),
    (refusal) => showCompany(site, request, refusal),
  )
}

async function uploadLogo(site: Site, context: MemberContext, { fields, files }: UploadedForm): Promise<Response> {
  const file = files.find(({ field, size }) => field === 'logo' && size > 0)
  if (file === undefined) throw invalidField('logo', refusals.noLogo())
  const bytes = await file.withContent(async (content) => Buffer.from(await new Response(content).arrayBuffer()))
  await setLogo(site.database, context.company.id, bytes, { user: context.user.id })
  const to = ownPath(fields.get('to'), settingsPath(context, 'company'))
  return redirectWithMessage(to, { sentence: say`The logo is on your documents now.` })
}

export async function deleteLogo(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  return catchRefusal(
    async () => {
      await removeLogo(site.database, context.company.id, { user: context.user.id })
      return redirectWithMessage(settingsPath(context, 'company'), { sentence: say`The logo was removed.` })
    },
    (refusal) => showCompany(site, request, refusal),
  )
}

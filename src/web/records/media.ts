import { findMedia, type JobView, type MediaFile } from '../../records/jobs/index.ts'
import { pageResponse, ownPath, redirect } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import type { UploadedForm, UploadedFile } from '../../platform/http/upload.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { addJobMedia, openJobMedia, removeJobMedia } from '../../files/job_media.ts'
import { HttpRefusal } from '../../platform/errors/http_refusal.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { notFoundRefusal } from '../not_found.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { refusalNotice } from '../refusal_notice.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'

const JOB = '/:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/media'
const FILE = `${JOB}/:media{[0-9a-f-]{36}}`

/** Maximum bytes of one form. A file may have 10 MiB. */
const MAX_BYTES = 60 * 2 ** 20
const MAX_FILES = 20

/** Returns the pages for a job's photos and files: upload, view, remove. */
export const mediaRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [JOB]: {
      get: (_, request) => redirect(`/${request.req.param('tenant')}/jobs/${request.req.param('id')}#media`),
      post: uploadMedia,
    },
    [FILE]: { get: showMedia },
    [`${FILE}/remove`]: { get: showMediaRemoval, post: removeMedia },
  })

/** Sends a file after checking access. A browser that has it cached gets 304. */
async function showMedia(site: Site, request: PageRequest): Promise<Response> {
  const { req } = request
  const context = await requireMemberContext(site, request)
  requireScope(context, 'read:jobs')
  const file = await context.read((db) => findMedia(db, req.param('id')!, req.param('media')!))
  const cacheHeaders = {
    ETag: `"${file.id}"`,
    'Cache-Control': 'private, no-cache',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
  if (req.header('if-none-match') === cacheHeaders.ETag)
    return new Response(null, { status: 304, headers: cacheHeaders })
  const { headers, body } = await context.withCaller((caller) =>
    openJobMedia(site, caller, file.job_id, file.id, req.method === 'HEAD' ? 'headers' : 'file'),
  )
  return new Response(body, { headers: { ...headers, ...cacheHeaders } })
}

type UploadProblem = { name: string; reason: string }

/** Adds each file separately. Reports those that failed; the others are on the job. */
async function uploadMedia(site: Site, request: PageRequest): Promise<Response> {
  const { context, job } = await requireJob(site, request)
  const sent = await site.uploads.receive(request.req.raw, MAX_BYTES, context.company.id)
  return addFiles(site, context, job, sent).finally(sent.release)
}

async function addFiles(site: Site, context: MemberContext, job: JobView, sent: UploadedForm): Promise<Response> {
  const files = sent.files.filter(({ field, name, size }) => field === 'files' && (name !== '' || size > 0))
  if (files.length === 0)
    return pageResponse(
      uploadProblemsPage(context, job, 0, [
        { name: say`Nothing was chosen`, reason: say`Choose a photo or a file first.` },
      ]),
      { status: 422 },
    )
  const rejected: UploadProblem[] = []
  for (const [i, file] of files.entries()) {
    const problem =
      i < MAX_FILES
        ? await addFile(site, context, job, file, sent.fields)
        : say`Upload no more than ${MAX_FILES} files at once. Upload this one again.`
    if (problem !== null) rejected.push({ name: file.name, reason: problem })
  }
  return rejected.length === 0
    ? redirectWithMessage(ownPath(sent.fields.get('back'), `${context.path('jobs', job.id)}#media`), {
        sentence: sayCount(files.length, 'One file uploaded', '{0} files uploaded'),
      })
    : pageResponse(uploadProblemsPage(context, job, files.length - rejected.length, rejected), { status: 422 })
}

/** Adds a file to the job. Returns the reason if it is refused, else null. */
async function addFile(
  site: Site,
  context: MemberContext,
  { id }: JobView,
  file: UploadedFile,
  fields: UploadedForm['fields'],
): Promise<string | null> {
  try {
    const { name, type } = file
    const [caption, stage] = [fields.get('caption') ?? undefined, fields.get('stage') ?? undefined]
    await file.withContent((content) =>
      context.withCaller((caller) => addJobMedia(site, caller, id, { name, type, content, caption, stage })),
    )
    return null
  } catch (error) {
    if (error instanceof HttpRefusal) throw error
    if (error instanceof Refusal) return refusalForPeople(error)
    const reference = newId()
    site.report(reference, error)
    return say`The file couldn’t be saved. Upload it again. If it happens again, tell us this reference: ${reference}`
  }
}

async function showMediaRemoval(site: Site, request: PageRequest): Promise<Response> {
  const { context, job } = await requireJob(site, request)
  return pageResponse(confirmationPage(context, job, await fileOf(context, job, request)))
}

async function removeMedia(site: Site, request: PageRequest): Promise<Response> {
  const { context, job } = await requireJob(site, request)
  const file = await fileOf(context, job, request)
  try {
    await context.withCaller((caller) => removeJobMedia(site.database, caller, job.id, file.id))
    return redirectWithMessage(`${context.path('jobs', job.id)}#media`, { sentence: say`File removed` })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return pageResponse(confirmationPage(context, job, file, error), { status: statusOf(error) })
  }
}

const fileOf = (context: MemberContext, { id }: JobView, request: PageRequest): Promise<MediaFile> =>
  context.read((db) => findMedia(db, id, request.req.param('media')!))

/** Returns the job for members who may change jobs. Answers 404 to others. */
async function requireJob(site: Site, request: PageRequest): Promise<{ context: MemberContext; job: JobView }> {
  const context = await requireMemberContext(site, request)
  requireScope(context, 'read:jobs')
  requireScope(context, 'write:jobs')
  return { context, job: await context.call('jobs_get', { id: request.req.param('id') }) }
}

function requireScope(context: MemberContext, scope: 'read:jobs' | 'write:jobs'): void {
  if (!context.may(scope)) throw notFoundRefusal()
}

const nameOf = ({ display_number, title }: JobView): string => `${display_number} ${title}`

const uploadProblemsPage = (
  context: MemberContext,
  job: JobView,
  count: number,
  rejected: readonly UploadProblem[],
): Html =>
  frame(context, {
    title: say`Photos and files`,
    here: context.path('jobs'),
    width: 'narrow',
    body: html`
<section class="ticket">
  <p class="eyebrow">${nameOf(job)}</p>
  <h1>${count === 0 ? say`Nothing was uploaded` : sayCount(count, 'One file uploaded', '{0} files uploaded')}</h1>
  ${notice({
    kind: 'error',
    title: sayCount(rejected.length, 'One file was refused', '{0} files were refused'),
    body: html`${rejected.map(({ name, reason }) => html`<b>${name}</b>: ${reason}<br>`)}`,
  })}
  <p class="actions">${linkButton(say`Back to the job`, `${context.path('jobs', job.id)}#media`, 'main')}</p>
</section>`,
  })

const confirmationPage = (context: MemberContext, job: JobView, file: MediaFile, refusal?: Refusal): Html =>
  frame(context, {
    title: say`Remove file`,
    here: context.path('jobs'),
    width: 'narrow',
    body: html`
<section class="ticket">
  <p class="eyebrow">${nameOf(job)}</p>
  <h1>${say`Remove ${file.caption ?? file.file_name}?`}</h1>
  <p class="lead">${say`It is deleted. This can't be undone.`}</p>${when(refusal, refusalNotice)}
  <form class="form" method="post" action="${context.path('jobs', job.id, 'media', file.id, 'remove')}">
    <p class="actions">
      ${button({ label: say`Remove`, kind: 'danger' })}
      ${linkButton(say`Keep file`, `${context.path('jobs', job.id)}#media`, 'quiet')}
    </p>
  </form>
</section>`,
  })

import { button } from '../../../platform/html/parts/button.ts'
import { select } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { moment } from '../../format/formats.ts'
import { part } from '../../page/parts.ts'
import type { PageContext } from '../../page/page_context.ts'
import type { Job } from '../fields.ts'
import { MEDIA_STAGES, type Media, type MediaStage } from './media.ts'

/** Image types that every browser displays. */
const DISPLAYABLE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

const isPicture = (type: string): boolean => DISPLAYABLE_TYPES.has(type)

/** File types that the file dialog accepts. */
const ACCEPTED_TYPES = 'image/*,application/pdf,text/plain,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.odp,.odg'

type WithMedia = Pick<Job, 'id' | 'status' | 'media'>

const isOpen = (context: PageContext, { status }: WithMedia): boolean =>
  status !== 'cancelled' && context.may('write:jobs')

/** Renders a job's photos and files with the form to add more; nothing for a job without any. */
export const mediaPart = (context: PageContext, job: WithMedia): Html | '' =>
  when(job.media.length > 0, () =>
    part(
      say`Photos and files`,
      html`
  <ul class="media" id="media">${job.media.map((file) => mediaItem(context, job.id, file, isOpen(context, job)))}
  </ul>${mediaForm(context, job)}`,
    ),
  )

/** Renders the form to add photos and files, behind its button; nothing for people who may not. */
export const mediaForm = (context: PageContext, job: WithMedia): Html | '' =>
  when(
    isOpen(context, job),
    () => html`<details class="fold"><summary class="button">${say`Add photos or files`}</summary>
${addFileForm(context.path('jobs', job.id, 'media'))}</details>`,
  )

function mediaItem(
  context: PageContext,
  job: string,
  { id, file_name, content_type, size_bytes, caption, stage, created_at }: Media,
  isOpen: boolean,
): Html {
  const href = context.path('jobs', job, 'media', id)
  const isShown = isPicture(content_type)
  return html`
    <li>
      <a class="${isShown ? 'picture' : 'file'}" href="${href}">${
        isShown
          ? html`<img src="${href}" alt="${caption ?? file_name}" loading="lazy" decoding="async" width="240"
            height="180">`
          : html`<span>${file_name}</span>`
      }</a>
      <p class="help">${when(stage, (stage) => html`<b>${stageName(stage)}</b><br>`)}${when(
        caption,
        (caption) => html`<b>${caption}</b><br>`,
      )}${formatSize(size_bytes)}, <time datetime="${created_at}">${moment(
        created_at,
        context.company.timezone,
      )}</time>${when(
        isOpen,
        () => html`
        <a href="${href}/remove" aria-label="${say`Remove ${caption ?? file_name}`}">${say`Remove`}</a>`,
      )}</p>
    </li>`
}

/** Renders the upload form. One input opens a phone's camera, the other its files. */
const addFileForm = (address: string): Html => html`
<form class="form adding" data-drop method="post" action="${address}" enctype="multipart/form-data">
  <div class="field camera"><label for="photo">${say`Take a photo`}</label><input id="photo" name="files" type="file"
    accept="image/*" capture="environment"></div>
  <div class="field"><label for="files">${say`Choose photos and files`}</label><input id="files" name="files"
    type="file" accept="${ACCEPTED_TYPES}" multiple aria-describedby="files-help">
    <p class="help" id="files-help">${say`Up to 10 MB each and 60 MB at once: pictures, PDF, text, Office`}</p></div>
  <div class="field"><label for="caption">${say`Caption`}</label><input id="caption" name="caption" type="text"
    maxlength="200" autocomplete="off"></div>
  ${select({
    name: 'stage',
    label: say`Before or after the work`,
    options: [
      { value: '', label: say`Neither` },
      ...MEDIA_STAGES.map((stage) => ({ value: stage, label: stageName(stage) })),
    ],
    chosen: '',
  })}
  <p class="actions">${button({ label: say`Upload` })}</p>
</form>`

const stageName = (stage: MediaStage): string => (stage === 'before' ? say`Before the work` : say`After the work`)

/** Formats a size: `820 kB`, `4.2 MB`. */
const formatSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

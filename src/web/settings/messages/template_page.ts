import { pageResponse } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { field, hidden, textArea } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { LANGUAGES, type Language } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { queueTest } from '../../../messaging/templates/queue_test.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { part } from '../../../records/page/parts.ts'
import { fillPlaceholders, formatPlaceholder } from '../../../messaging/templates/placeholders.ts'
import {
  CHANNELS,
  isMessageKind,
  listPlaceholders,
  type MessageChannel,
  type MessageKind,
} from '../../../messaging/templates/kinds.ts'
import {
  parseTemplate,
  resetTemplate,
  saveTemplate,
  findMessageTemplate,
  type TemplateKey,
} from '../../../messaging/templates/templates.ts'
import { previewMessage, type Preview } from '../../../messaging/templates/preview.ts'
import { frame } from '../../frame.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundPage } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { statusOf } from '../../faults.ts'
import { errorOf } from '../../messaging/compose/problems.ts'
import { linkPlaceholder, segmentsText } from '../../messaging/compose/segments.ts'
import type { Site } from '../../site.ts'
import { kindName } from './message_names.ts'
import { requireOwner } from '../settings_page.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'

/** Shows the template of one kind of message, by channel and language, with a preview. */
export async function showMessage(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const key = keyOf(request.req.param('kind')!, new URL(request.req.url).searchParams)
  if (key === undefined) return notFoundPage()
  const template = await context.read((db) => findMessageTemplate(db, key))
  return pageResponse(
    await page(site, context, key, { subject: template.subject ?? '', body: template.body, isOwn: template.isOwn }),
  )
}

type TemplateForm = { subject: string; body: string; isOwn: boolean }

/** Saves the template, previews it, restores the default, or sends a test to the person. */
export async function changeMessage(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  const key = keyOf(request.req.param('kind')!, sent)
  if (key === undefined) return notFoundPage()
  const form = { subject: sent.get('subject') ?? '', body: sent.get('body') ?? '', isOwn: sent.get('own') === 'yes' }
  const by = { user: context.user.id }
  try {
    switch (sent.get('act')) {
      case 'preview':
        parseTemplate(key, form)
        return pageResponse(await page(site, context, key, form))
      case 'test':
        await context.write((db) =>
          queueTest(
            db,
            { key, draft: form, to: sent.get('test_to') ?? '', by: context.user },
            { baseUrl: site.baseUrl, currency: context.company.currency },
          ),
        )
        return pageResponse(
          await page(site, context, key, form, {
            sentence: say`The test is on its way. Your changes aren't saved yet.`,
          }),
        )
      case 'reset':
        await context.write((db) => resetTemplate(db, by, key))
        return redirectWithMessage(pathOfKey(context, key), { sentence: say`Default template restored.` })
      default:
        await context.write((db) => saveTemplate(db, by, key, form))
        return redirectWithMessage(pathOfKey(context, key), {
          sentence: say`Template saved. New messages use it.`,
          next: { label: say`All messages`, href: context.path('settings', 'messages') },
        })
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return pageResponse(await page(site, context, key, form, { refusal: error }), { status: statusOf(error) })
  }
}

function keyOf(kind: string, query: URLSearchParams): TemplateKey | undefined {
  if (!isMessageKind(kind)) return undefined
  return {
    kind,
    channel: CHANNELS.find((one) => one === query.get('channel')) ?? 'email',
    language: LANGUAGES.find((one) => one === query.get('language')) ?? 'en',
  }
}

const pathOfKey = (context: MemberContext, { kind, channel, language }: TemplateKey): string =>
  `${context.path('settings', 'messages', kind)}?channel=${channel}&language=${language}`

async function page(
  site: Site,
  context: MemberContext,
  key: TemplateKey,
  form: TemplateForm,
  { refusal, sentence }: { refusal?: Refusal; sentence?: string } = {},
): Promise<Html> {
  const preview = await context.read((db) => previewMessage(db, key, site.baseUrl, context.company.currency))
  return frame(context, {
    title: kindName(key.kind),
    here: context.path('settings'),
    width: 'full',
    styles: ['sending.css'],
    body: html`
<header class="page-head">
  <div>
    <p class="eyebrow"><a href="${context.path('settings', 'messages')}">${say`Messages`}</a></p>
    <h1>${kindName(key.kind)}</h1>
  </div>
</header>${when(refusal, (refusal) =>
      notice({ kind: 'error', title: say`Nothing was saved`, body: refusalForPeople(refusal) }),
    )}${when(sentence, (sentence) => html`<div class="saying" role="status"><p><b>${sentence}</b></p></div>`)}
${variantsHtml(context, key)}
<div class="parts">
  ${part(say`Template`, formHtml(context, key, form, refusal))}
  ${part(say`Preview`, previewHtml(key, form, preview, site.baseUrl))}
</div>`,
  })
}

/** Draws links to the same message in other channels and languages. */
const variantsHtml = (context: MemberContext, key: TemplateKey): Html => html`
<nav class="ways" aria-label="${say`Channel and language`}">${CHANNELS.flatMap((channel) =>
  LANGUAGES.map(
    (language) => html`
  <a href="${pathOfKey(context, { ...key, channel, language })}"${attribute(
    'aria-current',
    channel === key.channel && language === key.language,
    'true',
  )}>${variantName(channel, language)}</a>`,
  ),
)}
</nav>`

function variantName(channel: MessageChannel, language: Language): string {
  if (channel === 'email') return language === 'es' ? say`Email in Spanish` : say`Email in English`
  return language === 'es' ? say`Text message in Spanish` : say`Text message in English`
}

const formHtml = (context: MemberContext, key: TemplateKey, form: TemplateForm, refusal: Refusal | undefined): Html => {
  const isMail = key.channel === 'email'
  return html`
<form class="form" method="post" action="${context.path('settings', 'messages', key.kind)}">
  ${hidden('channel', key.channel)}${hidden('language', key.language)}${hidden('own', form.isOwn ? 'yes' : 'no')}
  ${when(isMail, () =>
    field({
      name: 'subject',
      label: say`Subject`,
      value: form.subject,
      isRequired: true,
      error: errorOf(refusal, 'subject'),
    }),
  )}
  ${textArea({
    name: 'body',
    label: say`Message`,
    value: form.body,
    rows: isMail ? 12 : 5,
    isRequired: true,
    error: errorOf(refusal, 'body'),
  })}
  <details class="names"><summary>${say`Placeholders`}</summary><p class="help">${say`These are filled in for each customer:`}</p>
    <ul>${listPlaceholders(key.kind).map((name) => html`<li><code>${formatPlaceholder(name)}</code></li>`)}</ul>
  </details>
  <p class="actions">
    ${button({ label: say`Save`, kind: 'main', name: 'act', value: 'save' })}
    ${button({ label: say`Preview`, name: 'act', value: 'preview' })}
    ${when(form.isOwn, () =>
      button({ label: say`Restore default template`, kind: 'quiet', name: 'act', value: 'reset' }),
    )}
    ${linkButton(say`Cancel`, context.path('settings', 'messages'), 'quiet')}
  </p>
  <div class="test">
    ${field({
      name: 'test_to',
      label: isMail ? say`Your email address` : say`Your mobile number`,
      value: isMail ? context.session.user.email : '',
      type: isMail ? 'email' : 'tel',
      error: errorOf(refusal, 'to'),
    })}
    <p class="actions">${button({ label: say`Send me a test`, name: 'act', value: 'test' })}</p>
  </div>
</form>`
}

const previewHtml = (
  { channel }: { channel: MessageChannel; kind: MessageKind },
  form: TemplateForm,
  { values, recordName }: Preview,
  baseUrl: string,
): Html => html`
<p class="help">${recordName === null ? say`Shown with an example, because you have none yet.` : say`With ${recordName}.`}</p>${
  channel === 'sms'
    ? html`
<p class="bubble">${fillPlaceholders(form.body, values)}</p>
<p class="help">${segmentsText(fillPlaceholders(form.body, { ...values, link: linkPlaceholder(baseUrl) }))}</p>`
    : html`
<div class="mail-preview">
  <p class="mail-subject">${fillPlaceholders(form.subject, values)}</p>
  <p class="written">${fillPlaceholders(form.body, values)}</p>
</div>`
}`

import { pageResponse } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { field } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { changeLimits, outboxLimits, type OutboxLimits } from '../../../messaging/outbox/limits.ts'
import { frame } from '../../frame.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'

/** Shows owners the daily limits and the quiet hours. */
export async function showLimits(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwnerOf(site, request)
  return page(context, await context.read(outboxLimits))
}

export async function saveLimits(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwnerOf(site, request)
  const sent = await readFormFields(request.req.raw)
  const form = {
    emails_a_day: sent.get('emails_a_day')?.trim() ?? '',
    texts_a_day: sent.get('texts_a_day')?.trim() ?? '',
    quiet_from: sent.get('quiet_from') ?? '',
    quiet_until: sent.get('quiet_until') ?? '',
  }
  const errors = {
    emails_a_day: isCount(form.emails_a_day) ? undefined : say`Enter a whole number up to 100,000.`,
    texts_a_day: isCount(form.texts_a_day) ? undefined : say`Enter a whole number up to 100,000.`,
    quiet_from: isTime(form.quiet_from) ? undefined : say`Enter a time, such as 21:00.`,
    quiet_until: isTime(form.quiet_until) ? undefined : say`Enter a time, such as 08:00.`,
  }
  if (Object.values(errors).some((error) => error !== undefined)) return page(context, form, errors)
  const limits = { ...form, emails_a_day: Number(form.emails_a_day), texts_a_day: Number(form.texts_a_day) }
  await context.write(async (db) => {
    requireOwnership(context)
    await changeLimits(db, limits, { user: context.user.id })
  })
  return redirectWithMessage(context.path('outbox'), { sentence: say`The limits were saved.` })
}

const isCount = (text: string): boolean => /^\d{1,6}$/.test(text) && Number(text) <= 100_000
const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

async function requireOwnerOf(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, request)
  requireOwnership(context)
  return context
}

function requireOwnership({ session }: MemberContext): void {
  if (session.role !== 'owner') throw notFoundRefusal()
}

type LimitsForm = { [Name in keyof OutboxLimits]: string | number }

const page = (
  context: MemberContext,
  limits: LimitsForm,
  errors: { [Name in keyof OutboxLimits]?: string | undefined } = {},
): Response =>
  pageResponse(
    frame(context, {
      title: say`Limits of the outbox`,
      here: context.path('outbox'),
      width: 'narrow',
      body: html`
<header class="page-head"><h1>${say`Limits of the outbox`}</h1></header>
<form class="form" method="post" action="${context.path('outbox', 'limits')}">
${field({
  name: 'emails_a_day',
  label: say`Emails a day`,
  value: String(limits.emails_a_day),
  keys: 'numeric',
  error: errors.emails_a_day,
})}
${field({
  name: 'texts_a_day',
  label: say`Texts a day`,
  value: String(limits.texts_a_day),
  keys: 'numeric',
  error: errors.texts_a_day,
  help: say`Anything above the limit is sent the next day. A long text counts as several.`,
})}
${field({
  name: 'quiet_from',
  label: say`Quiet hours from`,
  type: 'time',
  value: String(limits.quiet_from),
  error: errors.quiet_from,
})}
${field({
  name: 'quiet_until',
  label: say`Quiet hours until`,
  type: 'time',
  value: String(limits.quiet_until),
  error: errors.quiet_until,
  help: say`Reminders and documents by text wait until then. Answers and “on my way” go at once.`,
})}
<div class="actions">${button({ label: say`Save`, kind: 'main' })}${linkButton(
        say`Cancel`,
        context.path('outbox'),
        'quiet',
      )}</div>
</form>`,
    }),
    { status: Object.values(errors).some((error) => error !== undefined) ? 422 : 200 },
  )

import { checkbox, field, hidden, textArea } from '../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { say } from '../../platform/i18n/say.ts'
import { newId } from '../../platform/validation/id.ts'
import { frame } from '../frame.ts'
import type { MemberContext } from '../member_context.ts'
import type { CallerMatch } from './caller.ts'
import { callerPart } from './caller_part.ts'
import type { CallKinds } from './kinds.ts'
import { timesPart, type FreeTimes } from './times.ts'

/** Problems of a call, by field and in general, and a question to ask back. */
export type CallProblems = {
  fields: ReadonlyMap<string, string>
  whole: readonly string[]
  question?: { title: string; body: Html }
}

type CallPage = {
  form: URLSearchParams
  match: CallerMatch
  freeTimes: FreeTimes
  kinds: CallKinds
  problems: CallProblems
}

/** Renders the form of a call: who, what, when and which technician. */
export const callPage = (context: MemberContext, { form, match, freeTimes, kinds, problems }: CallPage): Html =>
  frame(context, {
    title: say`New call`,
    here: context.path('schedule'),
    styles: ['calls.css'],
    scripts: ['calls.js'],
    body: html`
<header class="page-head"><h1>${say`New call`}</h1></header>${problemsHtml(problems)}
<form class="call" id="call" method="post" action="${context.path('calls', 'new')}" novalidate
  data-caller="${context.path('calls', 'caller')}"
  data-times="${context.path('calls', 'times')}"${attribute('data-skilled', kinds.requiresSkills, 'yes')}>
  ${hidden('idempotency_key', newId())}
  <section class="part call-who" aria-labelledby="who-head">
    <h2 id="who-head">${say`Caller`}</h2>
    <div class="field">
      <label for="q">${say`Phone`}</label>${when(
        problems.fields.get('phone') ?? problems.fields.get('new_customer'),
        (error) => html`
      <p class="error" id="q-error">${error}</p>`,
      )}
      <div class="finding"><input id="q" name="q" type="text" inputmode="tel" autocomplete="off" maxlength="200"
        value="${form.get('q') ?? ''}"${attribute('autofocus', match.kind === 'nobody' && !form.has('q'))}
        aria-describedby="q-help"><button class="button plain" id="find" formmethod="get"
          formaction="${context.path('calls', 'new')}" formnovalidate>${say`Find`}</button></div>
      <p class="help" id="q-help">${say`Or part of a name or an address`}</p>
    </div>
    ${callerPart(context, match, form, problems.fields)}
    <p class="unseen" id="found" role="status"></p>
    ${textArea({
      name: 'notes',
      label: say`Notes for the technicians`,
      rows: 2,
      value: form.get('notes') ?? form.get('text') ?? '',
      error: problems.fields.get('instructions'),
    })}
  </section>
  <section class="part call-what" aria-labelledby="what-head">
    <h2 id="what-head">${say`Job`}</h2>${workHtml(kinds, form, problems.fields.get('title'))}
    ${timesPart(context, freeTimes, form)}${when(
      problems.fields.get('start') ?? problems.fields.get('scheduled_start'),
      (error) => html`<p class="error">${error}</p>`,
    )}
    ${checkbox({ name: 'confirm', label: say`Send confirmation`, isChecked: form.has('confirm') })}
    <p class="actions"><button class="button main" id="book">${say`Book job`}</button></p>
  </section>
</form>`,
  })

const problemsHtml = ({ fields, whole, question }: CallProblems): Html | '' => {
  if (question !== undefined) return html`<div class="call-asks">${notice({ kind: 'warning', ...question })}</div>`
  const messages = [...whole, ...fields.values()]
  return when(messages.length > 0, () =>
    notice({
      kind: 'error',
      title: say`The job isn't booked yet`,
      body: html`${messages.map((one) => html`${one}<br>`)}`,
    }),
  )
}

/** Renders the work section: the most frequent titles as buttons, and a field for anything else. */
const workHtml = (
  { common, services }: CallKinds,
  form: URLSearchParams,
  error: string | undefined,
): Html => html`${when(
  common.length > 0,
  () => html`
    <div class="kinds" role="radiogroup" aria-label="${say`Most booked`}">${common.map(
      (title) => html`
      <label class="slot"><input type="radio" name="kind"
        value="${title}"${attribute('checked', form.get('kind') === title)}><span>${title}</span></label>`,
    )}
    </div>`,
)}
    ${field({
      name: 'title',
      label: say`What needs to be done?`,
      value: form.get('title') ?? '',
      suggestions: 'services',
      error,
    })}
    <datalist id="services">${[...new Set([...services, ...common])].map(
      (name) => html`<option value="${name}"></option>`,
    )}</datalist>`

import { isDeepStrictEqual } from 'node:util'
import { hidden, type Option } from '../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal, invalidFields, type FieldProblem } from '../../platform/errors/refusal.ts'
import { entriesOf, fillForm, type FormField, type Locale, type FormValues } from '../fields/form_field.ts'
import { withLabel, type Problems } from './problems.ts'
import type { PageContext } from '../page/page_context.ts'

/** Form fields with their choices. */
export type Form = { fields: readonly FormField[]; options: ReadonlyMap<string, readonly Option[]>; locale: Locale }

/** Returns the form's fields for this person, with their choices. */
export async function loadForm(
  context: PageContext,
  all: readonly FormField[],
  on: 'create' | 'update',
  values: FormValues,
): Promise<Form> {
  const fields = all.filter((field) => (field.on ?? on) === on && field.isFor?.(context, values) !== false)
  const options = await Promise.all(
    fields.map(
      async ({ name, options = [] }) =>
        [name, typeof options === 'function' ? await options(context, values) : options] as const,
    ),
  )
  return { fields, options: new Map(options), locale: context.company }
}

const contextOf = ({ options, locale }: Form, { name }: FormField) => ({ ...locale, options: options.get(name) ?? [] })

/** Parses the form into arguments, without empty ones. Throws one `Refusal` with every problem. */
export function readForm(form: Form, values: FormValues): Record<string, unknown> {
  const problems: FieldProblem[] = []
  const args = form.fields.flatMap((field): [string, unknown][] => {
    try {
      const value = field.read(values, contextOf(form, field))
      return value === undefined ? [] : [[field.name, value]]
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push(...error.problems)
      return []
    }
  })
  if (problems.length > 0) throw invalidFields(problems)
  return Object.fromEntries(args)
}

/** Returns the arguments that differ from the record; emptied ones are null. */
export function changesIn(
  form: Form,
  values: FormValues,
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const before = readForm(form, fillForm(form.fields, record, form.locale))
  const after = readForm(form, values)
  return Object.fromEntries(
    form.fields
      .filter(({ name }) => !isDeepStrictEqual(before[name], after[name]))
      .map(({ name }) => [name, after[name] ?? null]),
  )
}

type FormPage = {
  form: Form
  values: FormValues
  problems: Problems
  action: string
  /** Hidden inputs: an idempotency key, the version that the form was loaded with. */
  hiddenInputs?: Readonly<Record<string, string>>
  /** HTML after the field of that name: the totals after the lines. */
  htmlAfter?: Readonly<Record<string, Html>>
  /** Submit button and the link back. */
  actions: Html
}

/** Renders a form: its problems, the main fields under their headings, and the others in a fold unless all are such. */
export const formHtml = ({
  form,
  values,
  problems,
  action,
  hiddenInputs = {},
  htmlAfter = {},
  actions: ends,
}: FormPage): Html => {
  const hasFold = form.fields.some(({ fold }) => fold === undefined)
  const [mainFields, moreFields] = [
    form.fields.filter(({ fold }) => fold === undefined || !hasFold),
    form.fields.filter(({ fold }) => fold !== undefined && hasFold),
  ]
  const renderFields = (fields: readonly FormField[]): Html[] =>
    fields.map((field) => {
      const input = field.html(values, { ...contextOf(form, field), error: problems.fields.get(field.name) })
      return html`${field.isHalf === true ? html`<div class="half">${input}</div>` : input}${htmlAfter[field.name] ?? ''}`
    })
  return html`
${summaryHtml(form, problems)}
<form class="form record-form" method="post" action="${action}" novalidate>
  <button class="unseen" tabindex="-1" aria-hidden="true">${say`Save`}</button>${Object.entries(hiddenInputs).map(
    ([name, value]) => html`
  ${hidden(name, value)}`,
  )}${groupFields(mainFields).map(
    ([heading, fields]) => html`
  <div class="form-part">${when(
    heading !== '',
    () => html`
    <h2>${heading}</h2>`,
  )}${renderFields(fields)}
  </div>`,
  )}${when(
    moreFields.length > 0,
    () => html`
  <details class="further"${attribute(
    'open',
    moreFields.some((field) => opensFold(field, values, problems)),
  )}><summary>${say`More`}<span class="help">${moreFields.map(({ label }) => label).join(', ')}</span></summary>
    <div class="form-part">${renderFields(moreFields)}</div>
  </details>`,
  )}
  <p class="actions">${ends}</p>
</form>`
}

/** Checks whether a field opens the fold: it has a problem, or a value and isn't `closed`. */
const opensFold = ({ name, fold }: FormField, values: FormValues, problems: Problems): boolean =>
  problems.fields.has(name) || (fold === 'open' && entriesOf(values, name).length > 0)

/** Lists all problems, with links to their fields. */
function summaryHtml({ fields }: Form, problems: Problems): Html | '' {
  const fieldProblems = fields.flatMap(({ name, label }) => {
    const problem = problems.fields.get(name)
    return problem === undefined ? [] : [{ name, message: withLabel(label, problem) }]
  })
  if (fieldProblems.length + problems.general.length === 0) return ''
  return notice({
    kind: 'error',
    title: say`Not saved yet`,
    body: html`${problems.general.map(
      (message) => html`${message}<br>`,
    )}${fieldProblems.map(({ name, message }) => html`<a href="#${name}">${message}</a><br>`)}`,
  })
}

const groupFields = (fields: readonly FormField[]): [heading: string, FormField[]][] => [
  ...Map.groupBy(fields, ({ group = '' }) => group),
]

import { isDeepStrictEqual } from 'node:util'
import { html, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { Form } from '../form/form.ts'
import { entriesOf, type FormField, type FormValues } from '../fields/form_field.ts'

/** Renders the saved and the entered version of each field that differs. */
export function versionsHtml({ fields, options, locale }: Form, saved: FormValues, values: FormValues): Html {
  const differing = fields.filter((field) => {
    const context = { ...locale, options: options.get(field.name) ?? [] }
    const [before, after] = [parseField(field, saved, context), parseField(field, values, context)]
    return before === undefined || after === undefined
      ? entriesText(saved, field.name) !== entriesText(values, field.name)
      : !isDeepStrictEqual(before, after)
  })
  return html`
<table class="table versions">
  <caption>${say`Differences`}</caption>
  <thead><tr><th scope="col">${say`Field`}</th><th scope="col">${say`Saved now`}</th>
    <th scope="col">${say`Your version`}</th></tr></thead>
  <tbody>${differing.map(({ name, label }) => {
    const labels = new Map((options.get(name) ?? []).map(({ value, label }) => [value, label]))
    return html`
    <tr><th scope="row">${label}</th><td data-label="${say`Saved now`}"><span class="written">${formatEntries(
      saved,
      name,
      labels,
    )}</span></td><td data-label="${say`Your version`}"><span class="written">${formatEntries(
      values,
      name,
      labels,
    )}</span></td></tr>`
  })}
  </tbody>
</table>`
}

/** Parses a field; undefined if it can't be parsed. */
function parseField(
  field: FormField,
  values: FormValues,
  context: Parameters<FormField['read']>[1],
): { value: unknown } | undefined {
  try {
    return { value: field.read(values, context) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return undefined
  }
}

const entriesText = (values: FormValues, name: string): string =>
  entriesOf(values, name)
    .map((pair) => pair.join('='))
    .join('&')

/** Formats a value for people: choices by their labels, list rows on one line each, without hidden parts. */
function formatEntries(values: FormValues, name: string, labels: ReadonlyMap<string, string>): string {
  const entries = entriesOf(values, name).filter(([key]) => !/\.(kind|item|was|has)$/.test(key))
  const rows = Map.groupBy(entries, ([key]) => /\.(\d+)\./.exec(key)?.[1] ?? '')
  return (
    [...rows.values()]
      .map((row) => row.map(([, value]) => labels.get(value) ?? formatText(value)).join(', '))
      .join('\n') || say`Nothing`
  )
}

/** Formats yes, and a browser's date and time without its T. */
const formatText = (text: string): string =>
  text === 'yes' ? say`Yes` : text.replace(/^(\d{4}-\d\d-\d\d)T(?=\d\d:\d\d)/, '$1 ')

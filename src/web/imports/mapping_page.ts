import { FIELDS, FIXED_FIELDS } from '../../imports/reading/fields.ts'
import type { ImportedFile } from '../../imports/reading/imported_file.ts'
import type { ImportKind } from '../../imports/rows/kinds.ts'
import { isProblemColumn, type Mapping } from '../../imports/rows/mapping.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { field, select } from '../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { table } from '../../platform/html/parts/table.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { part } from '../../records/page/parts.ts'
import type { MemberContext } from '../member_context.ts'
import { pageOf } from './frame.ts'
import { fieldLabel, kindLabel, sourceLabel } from './labels.ts'

type MappingPage = {
  file: ImportedFile
  header: readonly string[]
  samples: readonly (readonly string[])[]
  mapping: Mapping
  /** True if the company mapped such a file before. */
  isRemembered: boolean
  refusal: Refusal | undefined
  /** Kinds of records that the member may import. */
  kinds: readonly ImportKind[]
}

type Row = { c: number; name: string }

/** Renders each column of a file with sample values and its target field. */
export const mappingPage = (
  context: MemberContext,
  { file, header, samples, mapping, isRemembered, refusal, kinds }: MappingPage,
): Response =>
  pageOf(
    context,
    file.file_name,
    html`
<p class="lead">${kindLabel(file.kind)} · ${sourceLabel(file.source)}</p>${when(isRemembered, () =>
      notice({ kind: 'info', title: say`The columns are set the way you chose them last time.` }),
    )}
${when(file.sheets.length > 1, () => sheetHtml(context, file, kinds))}
<form class="form" method="post" action="${context.path('settings', 'import', file.id, 'columns')}">
  ${part(
    say`Columns`,
    table<Row>({
      caption: say`Columns`,
      isCaptionHidden: true,
      rows: header.flatMap((name, c) => (isProblemColumn(name) ? [] : [{ c, name }])),
      empty: '',
      columns: [
        {
          label: say`Column in the file`,
          cell: ({ c, name }) => html`<span id="name-${c}">${name || `${c + 1}`}</span>`,
        },
        { label: say`Sample values`, cell: ({ c }) => samples[c]?.join(' · ') ?? '' },
        { label: say`Becomes`, cell: ({ c }) => choiceHtml(file, c, mapping.columns[c] ?? '') },
      ],
    }),
  )}
  ${part(
    say`For rows without a value`,
    html`<div class="form">${FIXED_FIELDS[file.kind].map((name) =>
      field({ name: `fixed_${name}`, label: fieldLabel(name), value: mapping.fixed[name] ?? '' }),
    )}</div>`,
  )}${when(hasTotals(file), () => differenceHtml(mapping))}
  <p class="actions">
    ${button({ label: say`Check the file`, kind: 'main' })}
    ${linkButton(say`Choose another file`, context.path('settings', 'import'), 'quiet')}
  </p>
</form>`,
    { refusal },
  )

const choiceHtml = ({ kind }: ImportedFile, c: number, chosen: string): Html => html`
<div class="field"><select name="column_${c}" aria-labelledby="name-${c}">
  <option value="">${say`Skip column`}</option>${FIELDS[kind].map(
    (name) => html`
  <option value="${name}"${attribute('selected', name === chosen)}>${fieldLabel(name)}</option>`,
  )}
</select></div>`

/** Renders the choice of a workbook's sheet. */
const sheetHtml = (
  context: MemberContext,
  { id, sheet, sheets }: ImportedFile,
  kinds: readonly ImportKind[],
): Html => html`
<form class="form" method="post" action="${context.path('settings', 'import', id, 'sheet')}">
  ${select({
    name: 'sheet',
    label: say`Sheet`,
    options: sheets.map((name) => ({ value: name, label: name })),
    chosen: sheet ?? '',
  })}
  ${select({
    name: 'kind',
    label: say`Contents`,
    none: say`Detect from the columns`,
    options: kinds.map((kind) => ({ value: kind, label: kindLabel(kind) })),
  })}
  <p class="actions">${button({ label: say`Read this sheet` })}</p>
</form>`

const hasTotals = ({ kind }: ImportedFile): boolean => kind === 'quotes' || kind === 'invoices'

const differenceHtml = ({ fixed }: Mapping): Html =>
  part(
    say`If lines and tax don't add up to the total`,
    html`<div class="form">${select({
      name: 'fixed_difference',
      label: say`Rows like this`,
      options: [
        { value: '', label: say`Skip it, and show what differs` },
        { value: 'line', label: say`Add a line for the tax and one for the difference` },
      ],
      chosen: fixed['difference'] ?? '',
    })}</div>`,
  )

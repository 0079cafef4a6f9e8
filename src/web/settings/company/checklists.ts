import {
  ITEM_KINDS,
  addTemplate,
  archiveTemplate,
  changeTemplate,
  findTemplate,
  listTemplates,
  type ChecklistTemplate,
  type TemplateDraft,
} from '../../../mobile/checklists/template.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { field, hidden, select } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { attribute, html, type Html } from '../../../platform/html/html.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { requireOfficeMember, catchRefusal, settingsPath, settingsPage } from '../settings_page.ts'

/** Number of empty lines for further items. */
const SPARE_LINES = 5
const MAX_LINES = 100

/** Lists the company's checklists, with a form for a new one. */
export async function showChecklists(site: Site, request: PageRequest): Promise<Response> {
  return listPage(await requireOfficeMember(site, request))
}

export async function makeChecklist(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOfficeMember(site, request)
  const draft = readDraft(await readFormFields(request.req.raw))
  return catchRefusal(
    async () => {
      const id = await context.write((db) => addTemplate(db, draft, { user: context.user.id }))
      return redirectWithMessage(context.path('settings', 'checklists', id), { sentence: say`Checklist saved` })
    },
    (refusal) => listPage(context, draft, refusal),
  )
}

/** Shows the form of a checklist. */
export async function showChecklist(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOfficeMember(site, request)
  return checklistPage(context, await requireTemplate(context, request))
}

/** Saves or archives a checklist, depending on the pressed button. */
export async function saveChecklist(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOfficeMember(site, request)
  const before = await requireTemplate(context, request)
  const sent = await readFormFields(request.req.raw)
  const draft = readDraft(sent)
  const by = { user: context.user.id }
  return catchRefusal(
    async () => {
      if (sent.get('act') === 'remove') {
        const { name } = await context.write((db) => archiveTemplate(db, before.id, by))
        return redirectWithMessage(settingsPath(context, 'checklists'), { sentence: say`Removed ${name}` })
      }
      await context.write((db) => changeTemplate(db, before.id, draft, by))
      return redirectWithMessage(context.path('settings', 'checklists', before.id), { sentence: say`Checklist saved` })
    },
    (refusal) => checklistPage(context, before, draft, refusal),
  )
}

const requireTemplate = (context: MemberContext, request: PageRequest): Promise<ChecklistTemplate> =>
  context.read((db) => findTemplate(db, request.req.param('id')!))

function readDraft(sent: URLSearchParams): TemplateDraft {
  const lines = Array.from({ length: MAX_LINES }, (_, at) => ({
    text: sent.get(`item.${at}.text`) ?? '',
    kind: sent.get(`item.${at}.kind`) ?? 'check',
    is_required: sent.get(`item.${at}.required`) === 'yes',
  }))
  return {
    name: sent.get('name') ?? '',
    applies: sent.get('applies') ?? '',
    words: sent.get('words') ?? '',
    items: lines.slice(0, 1 + lines.findLastIndex(({ text }) => text !== '')),
  }
}

async function listPage(context: MemberContext, draft?: TemplateDraft, refusal?: Refusal): Promise<Response> {
  const templates = await context.read(listTemplates)
  return settingsPage(
    context,
    'checklists',
    say`Checklists`,
    html`
<div class="parts">
${part(
  say`Checklists`,
  html`
  <p class="help">
    ${say`Items to check for a type of work. A visit can be finished on the phone once the required items are answered.`}
  </p>
  ${table({
    caption: say`Checklists`,
    isCaptionHidden: true,
    rows: templates,
    empty: say`No checklists yet.`,
    columns: [
      {
        label: say`Name`,
        cell: ({ id, name }) => html`<a href="${context.path('settings', 'checklists', id)}">${name}</a>`,
      },
      { label: say`For`, cell: appliesText },
      { label: say`Items`, cell: ({ items }) => sayCount(items.length, '1 item', '{0} items') },
    ],
  })}`,
)}
${part(say`New checklist`, templateForm(settingsPath(context, 'checklists'), draft ?? EMPTY_DRAFT))}
</div>`,
    refusal,
  )
}

const EMPTY_DRAFT: TemplateDraft = { name: '', applies: 'words', words: '', items: [] }

const appliesText = ({ applies, words }: ChecklistTemplate): string => {
  if (applies === 'every') return say`Every visit`
  return applies === 'chosen' ? say`Where it is chosen` : say`Titles with: ${words.join(', ')}`
}

function checklistPage(
  context: MemberContext,
  template: ChecklistTemplate,
  draft?: TemplateDraft,
  refusal?: Refusal,
): Response {
  const there = context.path('settings', 'checklists', template.id)
  return settingsPage(
    context,
    'checklists',
    template.name,
    html`
<div class="parts">
${part(template.name, templateForm(there, draft ?? { ...template, words: template.words.join(', ') }))}
${part(
  say`Remove`,
  html`
  <p class="help">${say`Visits where it was started keep it.`}</p>
  <form class="form" method="post" action="${there}">${hidden('act', 'remove')}<p class="actions">${button({
    label: say`Remove this checklist`,
    kind: 'danger',
  })}${linkButton(say`Back`, settingsPath(context, 'checklists'), 'quiet')}</p>
  </form>`,
)}
</div>`,
    refusal,
  )
}

const templateForm = (action: string, { name, applies, words, items }: TemplateDraft): Html => html`
<form class="form" method="post" action="${action}">
  ${field({ name: 'name', label: say`Name`, value: name, isRequired: true })}
  ${select({
    name: 'applies',
    label: say`For`,
    chosen: applies,
    options: [
      { value: 'words', label: say`Visits whose title has one of these words` },
      { value: 'every', label: say`Every visit` },
      { value: 'chosen', label: say`Visits where someone adds it` },
    ],
  })}
  ${field({
    name: 'words',
    label: say`Words in the title`,
    value: words,
    help: say`Separated by commas, such as: boiler, furnace`,
  })}
  <p class="help">${say`Visits where it was started keep the old list. Leave an item empty to drop it.`}</p>
  <div class="check-items">${Array.from({ length: Math.min(MAX_LINES, items.length + SPARE_LINES) }, (_, at) =>
    itemFields(at, items[at]),
  )}
  </div>
  <p class="actions">${button({ label: say`Save`, kind: 'main' })}</p>
</form>`

const itemFields = (at: number, item?: TemplateDraft['items'][number]): Html => html`
  <fieldset class="check-item"><legend class="unseen">${say`Item ${at + 1}`}</legend>
    <input name="item.${at}.text" value="${item?.text ?? ''}" maxlength="200" autocomplete="off"
      aria-label="${say`Text of item ${at + 1}`}">
    <select name="item.${at}.kind" aria-label="${say`Kind of item ${at + 1}`}">${ITEM_KINDS.map(
      (kind) =>
        html`<option value="${kind}"${attribute('selected', kind === (item?.kind ?? 'check'))}>${itemKindLabel(
          kind,
        )}</option>`,
    )}</select>
    <label><input type="checkbox" name="item.${at}.required"
      value="yes"${attribute('checked', item?.is_required === true)}> ${say`Required`}</label>
  </fieldset>`

function itemKindLabel(kind: (typeof ITEM_KINDS)[number]): string {
  if (kind === 'check') return say`Check`
  return kind === 'number' ? say`Number` : say`Text`
}

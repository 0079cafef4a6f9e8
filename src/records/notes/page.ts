import { facts } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { wordOptions } from '../fields/choices.ts'
import { moment } from '../format/formats.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { recordLink } from '../page/links.ts'
import { multilineText } from '../page/parts.ts'
import { wordFor } from '../page/states.ts'
import { screen } from '../page/screen.ts'
import type { ListPage, PageContext } from '../page/page_context.ts'
import { isId } from '../../platform/validation/id.ts'
import type { Results } from '../../tools/declare/results.ts'
import { NOTE, SUBJECTS, type SubjectType } from './fields.ts'
import { mayChangeNote } from './note.ts'
import { KINDS, namesOf, type NoteSubject } from './subjects.ts'
import { notes } from './tools.ts'

/** List row, without null fields. */
type Row = Results['notes_list']['rows'][number] & { subject_name?: string }

export const noteScreen = screen<Results['notes_get'], Row>({
  entity: notes,
  get title() {
    return say`Notes`
  },
  get singular() {
    return say`note`
  },
  menu: { group: 'customers', position: 2 },
  listing: {
    filters: () => [
      { kind: 'search', name: 'query', label: say`Search notes` },
      {
        kind: 'choice',
        name: 'subject_type',
        label: say`About`,
        options: wordOptions(...SUBJECTS),
        fixedBy: 'subject_id',
      },
      { kind: 'subject', name: 'subject_id', of: (params) => KINDS[params.get('subject_type') as SubjectType]?.entity },
      { kind: 'tick', name: 'pinned', label: say`Pinned` },
      { kind: 'day', name: 'created_from', label: sayFor('date')`From` },
      { kind: 'day', name: 'created_to', label: sayFor('date')`To` },
    ],
    find: listWithSubjects,
    columns: (context) => [
      { name: 'note', label: say`Note`, cell: ({ id, excerpt, pinned }) => noteCell(context, id, excerpt, pinned) },
      { name: 'about', label: say`About`, cell: (row) => subjectLink(context, row, row.subject_name) },
      { name: 'by', label: say`By`, cell: ({ author_name }) => author_name ?? say`The company's key` },
      { name: 'when', label: say`When`, cell: ({ created_at }) => moment(created_at, context.company.timezone) },
    ],
    get empty() {
      return say`No notes yet. Write one about a customer, a job or an invoice, or here on its own.`
    },
    exported: ['id', 'excerpt', 'pinned', 'subject_type', 'subject_id', 'author_name', 'created_at'],
  },
  nameOf: ({ body }) => {
    const [head, rest] = splitHead(body)
    return rest === '' ? head : `${head}…`
  },
  stateOf: ({ pinned }) => (pinned ? pinBadge() : ''),
  parentPath: (context, { subject_type, subject_id }) => {
    const kind = subject_type == null ? undefined : KINDS[subject_type]
    return kind !== undefined && subject_id != null && isId(subject_id)
      ? context.path(kind.entity, subject_id)
      : undefined
  },
  get fields() {
    return formFields(NOTE, ['subject_type', 'subject_id'])
  },
  hidesEdit: (context, note) => !mayChangeNote(note, context.caller),
  actions: (context, note) => [
    { wire: 'notes_pin', input: { pinned: true }, label: say`Pin`, isHidden: note.pinned },
    { wire: 'notes_pin', input: { pinned: false }, label: say`Unpin`, isHidden: !note.pinned },
    {
      wire: 'notes_archive',
      label: say`Archive note`,
      kind: 'danger',
      isHidden: !mayChangeNote(note, context.caller),
      warning: say`The note is hidden for good.`,
    },
  ],
  sheet: async (context, note) => {
    const { subject_type, subject_id } = note
    const name =
      subject_type === null || subject_id === null
        ? undefined
        : (await context.read((db) => namesOf(db, [{ subject_type, subject_id }], (scope) => context.may(scope)))).get(
            subject_id,
          )
    return html`
<section class="part">${multilineText(note.body)}</section>
${facts([
  {
    label: say`Written by`,
    value: note.author_name ?? say`The company's key`,
    says: moment(note.created_at, context.company.timezone),
  },
  { label: say`About`, value: subjectLink(context, note, name) },
  ...sheetFacts(context, NOTE, note),
])}`
  },
})

const pinBadge = () => status(say`Pinned`, 'active')

/** Returns the list tool's rows with the names of their subjects. */
async function listWithSubjects(context: PageContext, query: Readonly<Record<string, unknown>>): Promise<ListPage> {
  const { rows, ...page } = await context.call('notes_list', query)
  const subjects = rows.filter((row): row is Row & NoteSubject => row.subject_id !== undefined)
  const names = await context.read((db) => namesOf(db, subjects, (scope) => context.may(scope)))
  return { ...page, rows: rows.map((row) => ({ ...row, subject_name: names.get(row.subject_id ?? '') })) }
}

/** Renders the start of a note as a link, and the rest beside it. */
function noteCell(context: PageContext, id: string, text: string, pinned: boolean): Html {
  const [head, rest] = splitHead(text)
  return html`<span>${recordLink(
    context,
    'notes',
    id,
    head,
  )} ${rest === '' ? '' : html`<span class="rest">${truncateText(rest)}</span> `}${pinned ? pinBadge() : ''}</span>`
}

const [MAX_TITLE_LENGTH, MAX_REST_LENGTH] = [48, 30]

/** Shortens a text to fit a line of a list. */
const truncateText = (text: string): string => {
  const characters = Array.from(text)
  return characters.length > MAX_REST_LENGTH ? `${characters.slice(0, MAX_REST_LENGTH).join('')}…` : text
}

/** Splits a text into the start of its first line and the rest. */
function splitHead(text: string): [head: string, rest: string] {
  const [line = ''] = text.split('\n', 1)
  if (Array.from(line).length <= MAX_TITLE_LENGTH) return [line, text.slice(line.length).trim()]
  const cut = Array.from(line).slice(0, MAX_TITLE_LENGTH).join('')
  const head = cut.slice(0, cut.lastIndexOf(' ') > 0 ? cut.lastIndexOf(' ') : undefined)
  return [head, text.slice(head.length).trim()]
}

/** Returns the link to a note's subject, or only its kind for people who may not see it. */
function subjectLink(
  context: PageContext,
  { subject_type, subject_id }: { subject_type?: SubjectType | null; subject_id?: string | null },
  name: string | undefined,
): Html | string {
  if (subject_type == null || subject_id == null) return say`The company`
  return name === undefined ? wordFor(subject_type) : recordLink(context, KINDS[subject_type].entity, subject_id, name)
}

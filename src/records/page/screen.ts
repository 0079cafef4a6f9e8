import type { Option } from '../../platform/html/parts/field.ts'
import type { Html } from '../../platform/html/html.ts'
import type { Column } from '../../platform/html/parts/table.ts'
import type { Entity } from '../../tools/declare/define.ts'
import type { Changes } from '../../tools/call/outcome.ts'
import type { FormField, FormValues } from '../fields/form_field.ts'
import type { Wire, EntityNameWith } from '../../tools/declare/results.ts'
import type { ListPage, PageContext, RecordView } from './page_context.ts'

/** Filter above a list; its name is the input of the list tool. */
export type Filter =
  /** `input` is the list tool's argument if its name differs from the filter's. */
  | { kind: 'search'; name: string; label: string; input?: string }
  /** Can't be changed while the list is narrowed by `fixedBy` too. */
  | {
      kind: 'choice'
      name: string
      label: string
      options: readonly Option[] | ((context: PageContext) => Promise<readonly Option[]>)
      fixedBy?: string
      /** Values of the tool that one choice stands for. */
      groups?: Readonly<Record<string, readonly string[]>>
    }
  | { kind: 'day'; name: string; label: string }
  /** Number, such as that of an invoice, with or without its prefix. */
  | { kind: 'number'; name: string; label: string }
  | { kind: 'tick'; name: string; label: string }
  /** Record that a link sets; the list shows which one it is narrowed to. */
  | { kind: 'record'; name: string; of: EntityNameWith<'get'> }
  /** The same for a record of any kind, which another filter names. */
  | { kind: 'subject'; name: string; of: (params: URLSearchParams) => EntityNameWith<'get'> | undefined }

/** Column that people can choose by its stable name. An extra one is hidden until someone chooses it. */
export type ListColumn<Row> = Column<Row> & { name: string; isExtra?: boolean }

type Listing<Row extends RecordView = RecordView> = {
  columns(context: PageContext): readonly ListColumn<Row>[]
  filters(): readonly Filter[]
  /** Text of an empty list. */
  empty: string
  /** Columns of the exported file, as names of a row's values. */
  exported: readonly string[]
  /** Links to other actions from the list, such as an import. */
  links?: (context: PageContext) => readonly ActionLink[]
  /** Filters until a person chooses others. */
  defaultFilters?: (context: PageContext) => Readonly<Record<string, string>>
  /** Common views of the list, as filters. */
  views?: (context: PageContext) => readonly View[]
  /** Sort orders of each column, by its label: values of the list's `sort`, the default direction first. */
  sorts?: () => Sorts
  /** Sums all results, by column label; undefined if there are too many to add up. */
  sums?: (context: PageContext, query: Readonly<Record<string, unknown>>) => Promise<Sums | undefined>
  /** Returns the name of a row for screen readers, beside its checkbox. */
  rowLabel?(row: Row): string
  /** Returns the bulk actions on rows. */
  bulk?: (context: PageContext) => readonly BulkAction[]
  /** Finds the rows instead of the list tool, from the same arguments: in another order, or with more data. */
  find?: (context: PageContext, query: Readonly<Record<string, unknown>>) => Promise<ListPage>
}

/** Values such as `due_asc` and `due_desc`, by column label. */
export type Sorts = Readonly<Record<string, readonly string[]>>

/** Count and sums over all pages of a list, in cents by column label. */
export type Sums = { count: number; cents: Readonly<Record<string, number>> }

/** Action on several records of a list: one by one under the rules of its tools, or on a page about all of them. */
export type BulkAction = {
  /** Last segment of its path. */
  name: string
  label: string
  /** Returns the notice afterwards: `3 jobs assigned`. */
  notice?: (count: number) => string
  /** Fields for more input, such as the assignees. */
  fields?: readonly FormField[]
  each?: (context: PageContext, id: string, query: Readonly<Record<string, unknown>>) => Promise<unknown>
  /** Returns the page about all of them, instead of a call for each. */
  pagePath?: (context: PageContext, ids: readonly string[]) => string
}

/** List filters that are set in one click. */
type View = { label: string; filters: Readonly<Record<string, string>> }

/**
 * Position of an action on a record's page: the first `main` is the next step, alone in its color; `plain` is beside it
 * if there is room, `quiet` in the menu, and `danger` at the menu's end.
 */
export type Prominence = 'main' | 'plain' | 'quiet' | 'danger'

/** Action on a record. It asks for confirmation before a change that can't be undone. */
export type Action = {
  /** Wire name of a tool or action. */
  wire: Wire
  label: string
  /** Notice afterwards, if it differs from the button: `Marked as sent`. */
  notice?: string
  /** Arguments besides the id. */
  input?: Readonly<Record<string, unknown>>
  /** Creates a record of another entity from these arguments, without the id, and opens its page. */
  creates?: {
    of: EntityNameWith<'create'>
    from: (idempotencyKey: string) => Promise<Readonly<Record<string, unknown>>>
    /** Opens the message to the customer instead, so that its text can still be edited. */
    nextPage?: 'send'
    /** Runs before the call. Its effect stays even if the call is refused. */
    first?: (context: PageContext) => Promise<unknown>
  }
  /** Fields for more input, such as a reason. */
  fields?: readonly FormField[]
  /** Whether its fields start with the record's values; otherwise they start empty. */
  startsAs?: 'record'
  /** Warning on a confirmation page. */
  warning?: string
  kind?: Prominence
  /** Whether to hide the button from this person. The tool itself enforces the permission. */
  isHidden?: boolean
}

/** Link from a record to the next step, such as from a quote to a job. */
export type ActionLink = { label: string; href: string; kind?: Prominence }

/** Position of an entity in the menu: its group, and its place there. */
export type MenuPosition = { group: 'customers' | 'work' | 'money' | 'catalog'; position: number }

/** Pages of an entity: its list, its record, its forms. */
export type Screen<R extends RecordView = RecordView, Row extends RecordView = R> = {
  entity: Entity
  /** `Jobs`, in the menu and above the list. */
  title: string
  /** `job`, in New job, Edit job. */
  singular: string
  /** Omitted for an entity that is reached only from another record. */
  menu?: MenuPosition
  listing: Listing<Row>
  /** Returns the name of a record: `J-1042 Boiler service`. */
  nameOf(record: R): string
  /** Choice required before a new record: a customer, or a value that decides its fields. */
  startsFrom?: 'customer' | Choice
  fields: readonly FormField[]
  /** Renders a notice above the form of a new record. */
  formNotice?(context: PageContext, values: FormValues): Promise<Html | ''>
  /** Renders the body of a record's page below its name, status and actions. */
  sheet(context: PageContext, record: R): Promise<Html>
  /** Renders the facts at the side of a page with a history. */
  aside?(context: PageContext, record: R): Promise<Html>
  stateOf?(record: R): Html | ''
  actions(context: PageContext, record: R): readonly Action[]
  links?(context: PageContext, record: R): readonly ActionLink[]
  /** Checks whether the form can be opened at all: a canceled job can't be edited. */
  isEditable?(record: R, context: PageContext): boolean
  /** Checks whether the page omits the edit link, since the tool would refuse this person. */
  hidesEdit?(context: PageContext, record: R): boolean
  /** Returns the page of the parent record, from the record or from the form. A new or a removed record leads there. */
  parentPath?(context: PageContext, about: Partial<R>): string | undefined
  /** Search for duplicates of the record being typed. */
  duplicateCheck?: DuplicateCheck
  /** Returns the id of the record that replaced a removed one. */
  findSuccessor?(context: PageContext, id: string): Promise<string | undefined>
  /** Returns the call that saves a form if it isn't the entity's update, such as for several visits. */
  saveCall?(record: R, changes: Readonly<Record<string, unknown>>): SaveCall | undefined
  /** Checks whether the same tool can undo a change, if it can't always. */
  canUndo?(changed: Changes): boolean
  /** Returns the fields that can be changed now and the reason, if not all can. */
  editableFields?(record: R): EditableFields | undefined
}

/** Possible duplicate of the record being typed. */
export type DuplicateCandidate = { id: string; name: string; describedBy: string }

type DuplicateCheck = {
  /** Names of the fields to compare, and of the field to show duplicates after. */
  fields: readonly string[]
  after: string
  /** Finds duplicates; `except` is the record created from the form. */
  find(context: PageContext, values: FormValues, except?: string): Promise<readonly DuplicateCandidate[]>
  /** Returns the merge page; undefined for people who may not merge. */
  mergePath(context: PageContext, id: string, other: string): string | undefined
}

/** Field whose value is chosen before the form. */
export type Choice = { name: string; title: string; options: readonly (Option & { description: string })[] }

/** Call that saves a form, and the notice afterwards. */
type SaveCall = { wire: Wire; input: Readonly<Record<string, unknown>>; notice: (done: object) => string }

type EditableFields = { names: readonly string[]; reason: string }

type Declared<R extends RecordView, Row extends RecordView> = Omit<Screen<R, Row>, 'actions' | 'listing'> &
  Partial<Pick<Screen<R, Row>, 'actions'>> & { listing: Listing<Row> & { exported: readonly (keyof Row & string)[] } }

/**
 * Declares an entity's pages for its record and its rows; actions are optional. Texts are getters, so that each reader
 * gets their own language.
 */
export const screen = <R extends RecordView, Row extends RecordView = R>(declared: Declared<R, Row>): Screen =>
  Object.assign(declared, { actions: declared.actions ?? (() => []) })

/** Checks whether a person may change records of an entity. */
export const mayWrite = (context: Pick<PageContext, 'may'>, { subject }: Entity): boolean =>
  context.may(`write:${subject}`)

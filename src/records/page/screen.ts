import type { Option } from '../../platform/html/parts/field.ts'
import type { Html } from '../../platform/html/html.ts'
import type { Column } from '../../platform/html/parts/table.ts'
import type { Entity } from '../../tools/declare/define.ts'
import type { Changes } from '../../tools/call/outcome.ts'
import type { FormField, FormValues } from '../fields/form_field.ts'
import type { Wire, EntityNameWith } from '../../tools/declare/results.ts'
import type { ListPage, PageContext, RecordView } from './page_context.ts'

/** Describes a filter above a list; its name is the input of the list tool. */
export type Filter =
  /** `input` is the list tool's argument where its name differs from the filter's. */
  | { kind: 'search'; name: string; label: string; input?: string }
  /** Stays as it is where the list is narrowed by `fixedBy` too. */
  | {
      kind: 'choice'
      name: string
      label: string
      options: readonly Option[] | ((context: PageContext) => Promise<readonly Option[]>)
      fixedBy?: string
      /** Lists the tool's values that one choice stands for. */
      groups?: Readonly<Record<string, readonly string[]>>
    }
  | { kind: 'day'; name: string; label: string }
  /** A number, such as that of an invoice, with or without its prefix. */
  | { kind: 'number'; name: string; label: string }
  | { kind: 'tick'; name: string; label: string }
  /** A record that links name; the list shows which one it is narrowed to. */
  | { kind: 'record'; name: string; of: EntityNameWith<'get'> }
  /** The same for a record of any kind, which another filter names. */
  | { kind: 'subject'; name: string; of: (params: URLSearchParams) => EntityNameWith<'get'> | undefined }

/** A column that people can choose by its name, which stays; an extra one is hidden until somebody chooses it. */
export type ListColumn<Row> = Column<Row> & { name: string; isExtra?: boolean }

type Listing<Row extends RecordView = RecordView> = {
  columns(context: PageContext): readonly ListColumn<Row>[]
  filters(): readonly Filter[]
  /** Text of a list without rows. */
  empty: string
  /** Names the columns of the list as a file, by a row's values. */
  exported: readonly string[]
  /** Links to what else can be done from the list, such as an import. */
  links?: (context: PageContext) => readonly ActionLink[]
  /** Filters until somebody chooses others. */
  defaultFilters?: (context: PageContext) => Readonly<Record<string, string>>
  /** Lists common ways to look at it, as its filters. */
  views?: (context: PageContext) => readonly View[]
  /** Orders of each column, by its label: values of the list's `sort`, the first one first. */
  sorts?: () => Sorts
  /** Adds up all that it finds, by the label of a column; undefined where that is too much to add up. */
  sums?: (context: PageContext, query: Readonly<Record<string, unknown>>) => Promise<Sums | undefined>
  /** Names a row to those who hear which one they mark. */
  rowLabel?(row: Row): string
  /** Lists what can be done to several rows at once. */
  bulk?: (context: PageContext) => readonly BulkAction[]
  /** Finds its rows instead of the list tool, from the same arguments: in another order, or with more in them. */
  find?: (context: PageContext, query: Readonly<Record<string, unknown>>) => Promise<ListPage>
}

/** Holds values such as `due_asc` and `due_desc`, by the label of a column. */
export type Sorts = Readonly<Record<string, readonly string[]>>

/** Holds sums over every page of a list, in cents by the label of a column. */
export type Sums = { count: number; cents: Readonly<Record<string, number>> }

/** An action on several records of a list, one by one under the rules of its tools, or on a page about all of them. */
export type BulkAction = {
  /** Last segment of its path. */
  name: string
  label: string
  /** Returns the notice afterwards: `3 jobs assigned`. */
  notice?: (count: number) => string
  /** Asks a person for more, such as whom to assign. */
  fields?: readonly FormField[]
  each?: (context: PageContext, id: string, query: Readonly<Record<string, unknown>>) => Promise<unknown>
  /** Returns the page about all of them, which replaces a call for each. */
  leadsTo?: (context: PageContext, ids: readonly string[]) => string
}

/** Describes a list narrowed in one click. */
type View = { label: string; filters: Readonly<Record<string, string>> }

/**
 * Where an action stands on a record's page: the first `main` is the next step and alone in its color, `plain` is
 * beside it as far as there is room, `quiet` is in the menu, and `danger` at the menu's end.
 */
export type Prominence = 'main' | 'plain' | 'quiet' | 'danger'

/** Describes something to do to a record. It asks before what can't be undone. */
export type Action = {
  /** A tool or action, by wire name. */
  wire: Wire
  label: string
  /** Notice afterwards, where it differs from the button: `Marked as sent`. */
  done?: string
  /** Arguments beside the id. */
  input?: Readonly<Record<string, unknown>>
  /** Makes a record of another entity, from these arguments and without the id, and leads to its page. */
  makes?: {
    of: EntityNameWith<'create'>
    from: (idempotencyKey: string) => Promise<Readonly<Record<string, unknown>>>
    /** Leads to the message to its customer instead, whose words can still be changed. */
    leadsTo?: 'send'
    /** Runs before the call; its effect stays where the call is refused. */
    first?: (context: PageContext) => Promise<unknown>
  }
  /** Asks a person for more, such as a reason. */
  fields?: readonly FormField[]
  /** Its fields start with the record's values; otherwise they start empty. */
  beginsAs?: 'record'
  /** What will happen, on a page that asks first. */
  warns?: string
  kind?: Prominence
  /** Hides the button from this person, who is refused if they ask all the same. */
  isHidden?: boolean
}

/** Links from a record to where work goes on: to a job from a quote. */
export type ActionLink = { label: string; href: string; kind?: Prominence }

/** An entity's position in the menu: the entry that it is within, and its place there. */
export type MenuPosition = { group: 'customers' | 'work' | 'money' | 'catalog'; position: number }

/** Describes the pages of an entity: its list, its record, its forms. */
export type Screen<R extends RecordView = RecordView, Row extends RecordView = R> = {
  entity: Entity
  /** `Jobs`, in the menu and above the list. */
  title: string
  /** `job`, in New job, Edit job. */
  one: string
  /** Left out for what is reached from another record alone. */
  menu?: MenuPosition
  listing: Listing<Row>
  /** Returns what a record is called where it is named: `J-1042 Boiler service`. */
  nameOf(record: R): string
  /** A new one is made for something that must be chosen first: a customer, or what decides its fields. */
  startsFrom?: 'customer' | Choice
  fields: readonly FormField[]
  /** Draws what to know before a new one is made, above its form. */
  formNotice?(context: PageContext, values: FormValues): Promise<Html | ''>
  /** Draws the body of a record's page below its name, its state and its actions. */
  sheet(context: PageContext, record: R): Promise<Html>
  /** Draws the facts at the side of a page that tells its record's story. */
  aside?(context: PageContext, record: R): Promise<Html>
  stateOf?(record: R): Html | ''
  actions(context: PageContext, record: R): readonly Action[]
  ways?(context: PageContext, record: R): readonly ActionLink[]
  /** Returns whether the form can be opened at all: a cancelled job is not edited. */
  isEditable?(record: R, context: PageContext): boolean
  /** Returns whether the page omits the form's link, since the tool would refuse this person. */
  hidesEdit?(context: PageContext, record: R): boolean
  /**
   * Returns the page of what it is a part of, from the record or from what is typed: a new one leads there, and one
   * that is gone.
   */
  leadsTo?(context: PageContext, about: Partial<R>): string | undefined
  /** Finds records that the one being typed may be. */
  duplicateCheck?: DuplicateCheck
  /** Returns the id of the record that took the place of one that is gone. */
  findSuccessor?(context: PageContext, id: string): Promise<string | undefined>
  /** Returns the call that saves changes of a form where that isn't the entity's update, such as for several visits. */
  savesAs?(record: R, changes: Readonly<Record<string, unknown>>): SaveCall | undefined
  /** Returns whether the same tool can undo a change, where that isn't always so. */
  undoes?(changed: Changes): boolean
  /** Returns the fields that can be changed now, where that isn't all of them, and why. */
  editableFields?(record: R): EditableFields | undefined
}

/** Describes a record that the one being typed may be. */
export type DuplicateCandidate = { id: string; name: string; describedBy: string }

type DuplicateCheck = {
  /** Names of the fields that show it, and of the field that the records found stand behind. */
  fields: readonly string[]
  after: string
  /** Finds them; `except` is the record that was made of what was typed. */
  find(context: PageContext, values: FormValues, except?: string): Promise<readonly DuplicateCandidate[]>
  /** Returns the page that makes one record of two; undefined for those who may not. */
  merge(context: PageContext, id: string, other: string): string | undefined
}

/** Describes a field whose value is chosen before the form. */
export type Choice = { name: string; title: string; options: readonly (Option & { description: string })[] }

/** A call that saves a form, and the notice afterwards. */
type SaveCall = { wire: Wire; given: Readonly<Record<string, unknown>>; notice: (done: object) => string }

type EditableFields = { names: readonly string[]; reason: string }

type Declared<R extends RecordView, Row extends RecordView> = Omit<Screen<R, Row>, 'actions' | 'listing'> &
  Partial<Pick<Screen<R, Row>, 'actions'>> & { listing: Listing<Row> & { exported: readonly (keyof Row & string)[] } }

/**
 * Declares an entity's pages over its record and its rows; a record without actions says none. Words are getters, so
 * that each reader is told them in their own language.
 */
export const screen = <R extends RecordView, Row extends RecordView = R>(declared: Declared<R, Row>): Screen =>
  Object.assign(declared, { actions: declared.actions ?? (() => []) })

/** Returns whether somebody may change records of an entity. */
export const mayWrite = (context: Pick<PageContext, 'may'>, { subject }: Entity): boolean =>
  context.may(`write:${subject}`)

import { quoteText, type FieldProblem, type QuotedText } from '../../platform/errors/refusal.ts'
import type { RefusalDetail } from '../../platform/errors/refusal_text.ts'
import { parseDayNumber } from '../reading/day_numbers.ts'
import { parseMoment, parseTime, parseTimes, type Moment, type Times } from '../reading/days.ts'
import type { MappedRow, ReadingRules, Remark } from '../reading/incoming.ts'
import { parseCents } from '../reading/values.ts'
import { refusals } from './refusals.ts'

/** Reading rules, with the day fields whose columns contain a spreadsheet's day numbers. */
export type ColumnRules = ReadingRules & { dayNumbers: ReadonlySet<string> }

/** Reads a document's cells by field. Collects unreadable values, and remarks on values read differently. */
export class Cells {
  readonly problems: FieldProblem[] = []
  readonly remarks: Remark[] = []
  readonly rules: ColumnRules
  readonly #cells: MappedRow['cells']

  constructor(cells: MappedRow['cells'], rules: ColumnRules) {
    this.#cells = cells
    this.rules = rules
  }

  text(field: string): string | undefined {
    return this.#cells[field]
  }

  /** Returns the first of several fields that has a value. */
  first(...fields: string[]): string | undefined {
    return fields.map((field) => this.#cells[field]).find((text) => text !== undefined)
  }

  cents(field: string): number | undefined {
    const { currency } = this.rules
    return this.#read(
      field,
      (text) => parseCents(text, this.rules),
      (value) => refusals.amount({ currency, value }),
    )
  }

  moment(field: string): Moment | undefined {
    const { isDayFirst, epoch, dayNumbers } = this.rules
    const numbersFrom = dayNumbers.has(field) ? epoch : undefined
    const moment = this.#read(
      field,
      (text) => parseMoment(text, isDayFirst, numbersFrom),
      (value) => refusals.day({ value }),
    )
    const text = this.#cells[field]
    if (moment !== undefined && text !== undefined && numbersFrom !== undefined && parseDayNumber(text) !== undefined)
      this.remarks.push({ field, value: text, taken: moment.day, kind: 'day_number' })
    return moment
  }

  day(field: string): string | undefined {
    return this.moment(field)?.day
  }

  time(field: string): string | undefined {
    return this.#read(field, parseTime, (value) => refusals.time({ value }))
  }

  /** Parses a start time, and an end time if the cell has both. */
  times(field: string): Times {
    return this.#read(field, parseTimes, (value) => refusals.time({ value })) ?? {}
  }

  addProblem(path: string, rule: RefusalDetail): void {
    this.problems.push({ path, rule })
  }

  addRemark(field: string, value: string, reading: string): void {
    this.remarks.push({ field, value, taken: reading })
  }

  #read<T>(
    field: string,
    read: (text: string) => T | undefined,
    refuse: (value: QuotedText) => RefusalDetail,
  ): T | undefined {
    const text = this.#cells[field]
    if (text === undefined) return undefined
    const value = read(text)
    if (value === undefined) this.addProblem(field, refuse(quoteText(text.slice(0, 60))))
    return value
  }
}

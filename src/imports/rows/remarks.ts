import type { Remark } from '../reading/incoming.ts'

/**
 * A remark with the first row that it is about and the number of rows; `isExample` where it stands for other values of
 * the field too. Files that were checked before rows were counted have no counts.
 */
export type CountedRemark = Remark & { number: number; count?: number; isExample?: boolean }

/** Maximum number of different remarks that are kept. */
const MAX_REMARKS = 200
/** Maximum number of values of which the same is said one by one. */
const MAX_VALUES = 3

type Counted = Remark & { number: number; count: number }
type Group = { count: number; values: Map<string, Counted> }

/**
 * Gathers remarks so that each is made once with the number of its rows. Where the same is to be said of more than
 * three values of a field, the first of them stands for all.
 */
export class RemarkCounts {
  readonly #groups = new Map<string, Group>()

  add(number: number, remarks: readonly Remark[]): void {
    for (const remark of remarks) {
      const { field, value, taken, kind } = remark
      const isExact = kind === undefined && taken !== ''
      const group = this.#group(JSON.stringify(isExact ? [field, value, taken] : [field, kind]))
      if (group === undefined) continue
      group.count++
      const before = group.values.get(value)
      if (before !== undefined) before.count++
      else if (group.values.size < MAX_REMARKS) group.values.set(value, { ...remark, number, count: 1 })
    }
  }

  #group(key: string): Group | undefined {
    const group = this.#groups.get(key)
    if (group !== undefined || this.#groups.size === MAX_REMARKS) return group
    const added: Group = { count: 0, values: new Map() }
    this.#groups.set(key, added)
    return added
  }

  list(): CountedRemark[] {
    return [...this.#groups.values()].flatMap(({ count, values }): CountedRemark[] => {
      const [first, ...more] = [...values.values()]
      if (first?.kind === undefined && more.length < MAX_VALUES) return [...values.values()]
      return first === undefined ? [] : [{ ...first, count, isExample: more.length > 0 }]
    })
  }
}

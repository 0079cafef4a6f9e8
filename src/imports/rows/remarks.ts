import type { Remark } from '../reading/incoming.ts'

/**
 * Remark with its first row and the number of rows. `isExample` marks one that stands for other values of the field
 * too. Files checked before counts were introduced have none.
 */
export type CountedRemark = Remark & { number: number; count?: number; isExample?: boolean }

/** Maximum number of different remarks to keep. */
const MAX_REMARKS = 200
/** Maximum number of values to list individually for the same remark. */
const MAX_VALUES = 3

type Counted = Remark & { number: number; count: number }
type Group = { count: number; values: Map<string, Counted> }

/**
 * Merges equal remarks and counts their rows. If a field has more than three values with the same remark, the first one
 * stands for all.
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

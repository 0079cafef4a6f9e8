import { screens } from '../../records/screens.ts'
import type { Screen } from '../../records/page/screen.ts'
import type { Entity } from '../../tools/declare/define.ts'

export const screenOf = ({ name }: Pick<Entity, 'name'>): Screen => screens.find(({ entity }) => entity.name === name)!

/** Returns the screen of a record type such as `contact`; a type without pages has no fields. */
export const screenOfType = (type: string | undefined): Pick<Screen, 'fields'> =>
  screens.find(({ entity }) => entity.singular === type) ?? { fields: [] }

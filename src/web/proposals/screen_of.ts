import { screens } from '../../entities/screens.ts'
import type { Screen } from '../../screens/screen.ts'
import type { Entity } from '../../tools/define.ts'

export const screenOf = ({ name }: Pick<Entity, 'name'>): Screen => screens.find(({ entity }) => entity.name === name)!

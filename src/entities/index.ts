import type { Entity } from '../tools/define.ts'
import { contacts } from './contacts/tools.ts'
import { customers } from './customers/tools.ts'
import { locations } from './locations/tools.ts'
import { notes } from './notes/tools.ts'
import { tags } from './tags/tools.ts'

/** The entities, in the order of tools/list. */
export const entities: readonly Entity[] = [customers, contacts, locations, tags, notes]

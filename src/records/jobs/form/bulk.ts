import { say, sayCount } from '../../../platform/i18n/say.ts'
import { members, wordOptions } from '../../fields/choices.ts'
import { choiceField, choicesField } from '../../fields/fields.ts'
import type { PageContext } from '../../page/page_context.ts'
import type { BulkAction } from '../../page/screen.ts'
import { SETTABLE } from '../status.ts'

/** Returns the bulk actions on jobs. */
export const jobBulk = (context: PageContext): BulkAction[] => [
  ...(context.may('write:jobs') ? changes() : []),
  {
    name: 'print',
    label: say`Print`,
    leadsTo: (context, ids) => `${context.path('jobs', 'print')}?ids=${ids.join(',')}`,
  },
]

const changes = (): BulkAction[] => [
  {
    name: 'assign',
    label: say`Assign`,
    fields: [choicesField({ name: 'assignees', label: say`Technicians`, options: members })],
    each: (context, id, { assignees }) => context.call('jobs_update', { id, assignees: assignees ?? [] }),
    notice: (count) => sayCount(count, 'One job assigned', '{0} jobs assigned'),
  },
  {
    name: 'mark',
    label: say`Change status`,
    fields: [choiceField({ name: 'status', label: say`Status`, options: wordOptions(...SETTABLE) })],
    each: (context, id, { status }) => context.call('jobs_update', { id, status }),
    notice: (count) => sayCount(count, 'Status of one job changed', 'Status of {0} jobs changed'),
  },
]

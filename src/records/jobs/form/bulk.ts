import { say, sayCount } from '../../../platform/i18n/say.ts'
import { members, wordOptions } from '../../fields/choices.ts'
import { choiceField, choicesField } from '../../fields/fields.ts'
import type { PageContext } from '../../page/page_context.ts'
import type { BulkAction } from '../../page/screen.ts'
import { SETTABLE_STATUSES } from '../status.ts'

/** Returns the bulk actions on jobs. */
export const jobBulkActions = (context: PageContext): BulkAction[] => [
  ...(context.may('write:jobs') ? changeActions() : []),
  {
    name: 'print',
    label: say`Print`,
    pagePath: (context, ids) => `${context.path('jobs', 'print')}?ids=${ids.join(',')}`,
  },
]

const changeActions = (): BulkAction[] => [
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
    fields: [choiceField({ name: 'status', label: say`Status`, options: wordOptions(...SETTABLE_STATUSES) })],
    each: (context, id, { status }) => context.call('jobs_update', { id, status }),
    notice: (count) => sayCount(count, 'Status of one job changed', 'Status of {0} jobs changed'),
  },
]

import { findBooksWork } from '../../../books/overview.ts'
import { PROGRAM_NAMES } from '../../../books/program.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { MemberContext } from '../../member_context.ts'
import type { WorkGroup } from './worklist.ts'

/** Lists problems of the accounting connection: access revoked, or records held or refused. */
export async function listBooksProblems(context: MemberContext): Promise<WorkGroup> {
  const work = await context.read(findBooksWork)
  const program = work === undefined ? '' : PROGRAM_NAMES[work.program]
  return {
    title: say`Books`,
    count: work === undefined ? 0 : 1,
    items:
      work === undefined
        ? []
        : [
            {
              title: work.is_revoked ? say`${program} revoked access` : say`Records that aren’t in ${program}`,
              help: work.is_revoked ? say`Connect again: nothing is sent until then.` : '',
              step: { label: say`Review`, href: context.path('settings', 'books'), about: program },
            },
          ],
  }
}

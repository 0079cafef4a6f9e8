import { answerItem } from '../../field/checklists/answering.ts'
import { addChecklist, leaveOutChecklist } from '../../field/checklists/job_checklist.ts'
import { formOf } from '../../html/form.ts'
import type { Visit } from '../../html/visit.ts'
import { say } from '../../language/say.ts'
import { Refusal } from '../../refusal.ts'
import { isId } from '../../shape/id.ts'
import { noPage } from '../not_here.ts'
import { redirectSaying } from '../saying.ts'
import type { Site } from '../site.ts'
import { byWhom, nowText, openJob, type OpenedJob } from './opened.ts'

/** Saves what was answered on a job's page, adds a list, or takes one off: the form says which. */
export async function saveChecklists(site: Site, visit: Visit): Promise<Response> {
  const opened = await openJob(site, visit, 'write:jobs')
  const sent = await formOf(visit.req.raw)
  const there = `${opened.there}#checklists`
  try {
    return redirectSaying(there, { sentence: await saved(opened, sent) })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return redirectSaying(there, { sentence: say`Not saved. ${error.message}` })
  }
}

async function saved({ context, job }: OpenedJob, sent: URLSearchParams): Promise<string> {
  const by = byWhom(context)
  const template = sent.get('template') ?? ''
  switch (sent.get('act')) {
    case 'add':
      requireId(template)
      await context.write((db) => addChecklist(db, job, template, by))
      return say`Checklist added`
    case 'leave_out':
      requireId(template)
      await context.write((db) => leaveOutChecklist(db, job, template, by))
      return say`Checklist taken off`
    default: {
      const at = nowText()
      await context.write(async (db) => {
        for (const { item_id, value } of answersIn(sent)) await answerItem(db, job, { item_id, value, at, by })
      })
      return say`Checklist saved`
    }
  }
}

const requireId = (id: string): void => {
  if (!isId(id)) throw noPage()
}

/** Limits how many items a form is read for. */
const MAX_ITEMS = 600

/** Returns what was changed on the form; what stayed is not answered again, so that nobody undoes what others did meanwhile. */
function answersIn(sent: URLSearchParams): { item_id: string; value: unknown }[] {
  const seen = [...sent].filter(([name]) => name.startsWith('seen.')).slice(0, MAX_ITEMS)
  return seen.flatMap(([name, before]) => {
    const [, kind = '', item_id = ''] = name.split('.')
    const typed = (sent.get(`${kind}.${item_id}`) ?? '').trim()
    return typed === before ? [] : [{ item_id, value: kind === 'check' ? typed === 'yes' : typed }]
  })
}

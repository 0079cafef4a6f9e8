import { answerItem } from '../../mobile/checklists/answering.ts'
import { addChecklist, leaveOutChecklist } from '../../mobile/checklists/job_checklist.ts'
import { formOf } from '../../platform/http/form.ts'
import type { Visit } from '../../platform/http/visit.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { noPage } from '../not_here.ts'
import { redirectSaying } from '../saying.ts'
import type { Site } from '../site.ts'
import { byWhom, nowText, openJob, type OpenedJob } from './opened.ts'

/** Saves what was answered on a job's page. */
export const saveAnswers = (site: Site, visit: Visit): Promise<Response> =>
  saving(site, visit, async ({ context, job }, sent) => {
    const [at, by] = [nowText(), byWhom(context)]
    await context.write(async (db) => {
      for (const { item_id, value } of answersIn(sent)) await answerItem(db, job, { item_id, value, at, by })
    })
    return say`Checklist saved`
  })

/** Adds a list to a job, or takes one off: the form says which. */
export const chooseChecklist = (site: Site, visit: Visit): Promise<Response> =>
  saving(site, visit, async ({ context, job }, sent) => {
    const template = sent.get('template') ?? ''
    if (!isId(template)) throw noPage()
    const isAdded = sent.get('act') === 'add'
    const choose = isAdded ? addChecklist : leaveOutChecklist
    await context.write((db) => choose(db, job, template, byWhom(context)))
    return isAdded ? say`Checklist added` : say`Checklist taken off`
  })

type Save = (opened: OpenedJob, sent: URLSearchParams) => Promise<string>

/** Saves a form, and says on the job's page what was done or why it wasn't. */
async function saving(site: Site, visit: Visit, save: Save): Promise<Response> {
  const opened = await openJob(site, visit, 'write:jobs')
  const sent = await formOf(visit.req.raw)
  const there = `${opened.there}#checklists`
  try {
    return redirectSaying(there, { sentence: await save(opened, sent) })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return redirectSaying(there, { sentence: say`Not saved. ${error.message}` })
  }
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

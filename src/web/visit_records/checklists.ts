import { answerItem } from '../../mobile/checklists/answering.ts'
import { addChecklist, removeChecklist } from '../../mobile/checklists/job_checklist.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { toAuthor, nowText, openJob, type JobContext } from './job_context.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'

/** Saves the answers from a job's page. */
export const saveAnswers = (site: Site, request: PageRequest): Promise<Response> =>
  saveOnJob(site, request, async ({ context, job }, sent) => {
    const [at, by] = [nowText(), toAuthor(context)]
    await context.write(async (db) => {
      for (const { item_id, value } of readChangedAnswers(sent)) await answerItem(db, job, { item_id, value, at, by })
    })
    return say`Checklist saved`
  })

/** Adds a checklist to a job or removes one, as the form requests. */
export const chooseChecklist = (site: Site, request: PageRequest): Promise<Response> =>
  saveOnJob(site, request, async ({ context, job }, sent) => {
    const template = sent.get('template') ?? ''
    if (!isId(template)) throw notFoundRefusal()
    const isAdded = sent.get('act') === 'add'
    const choose = isAdded ? addChecklist : removeChecklist
    await context.write((db) => choose(db, job, template, toAuthor(context)))
    return isAdded ? say`Checklist added` : say`Checklist removed`
  })

type SaveForm = (opened: JobContext, sent: URLSearchParams) => Promise<string>

/** Saves a form, and shows the result or the refusal on the job's page. */
async function saveOnJob(site: Site, request: PageRequest, save: SaveForm): Promise<Response> {
  const opened = await openJob(site, request, 'write:jobs')
  const sent = await readFormFields(request.req.raw)
  const there = `${opened.there}#checklists`
  try {
    return redirectWithMessage(there, { sentence: await save(opened, sent) })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return redirectWithMessage(there, { sentence: say`Not saved. ${refusalForPeople(error)}` })
  }
}

/** Maximum items read from a form. */
const MAX_ITEMS = 600

/** Returns only the answers changed on the form, so that a save doesn't undo what others changed meanwhile. */
function readChangedAnswers(sent: URLSearchParams): { item_id: string; value: unknown }[] {
  const shownAnswers = [...sent].filter(([name]) => name.startsWith('seen.')).slice(0, MAX_ITEMS)
  return shownAnswers.flatMap(([name, before]) => {
    const [, kind = '', item_id = ''] = name.split('.')
    const answer = (sent.get(`${kind}.${item_id}`) ?? '').trim()
    return answer === before ? [] : [{ item_id, value: kind === 'check' ? answer === 'yes' : answer }]
  })
}

import { auditChange } from '../../identity/audit.ts'
import { valuesOf } from '../../platform/db/rows.ts'
import { insertSelected, ENTERED_TENANT, sql, type Db } from '../../platform/db/tenant.ts'
import type { Job } from '../../records/jobs/index.ts'
import { notFound } from '../../platform/errors/refusal.ts'
import { isTemplateFor } from './applying.ts'
import { findTemplate, listTemplates, type ChecklistItemKind, type ChecklistTemplate } from './template.ts'

/** Answer to an item: checked, a text or a number; null while it is open. */
export type ChecklistItemValue = true | string | number | null

export type ChecklistItem = {
  id: string
  text: string
  kind: ChecklistItemKind
  is_required: boolean
  value: ChecklistItemValue
  /** Time of the answer; null while the item is open. */
  done_at: string | null
  done_by_name: string | null
}

/** Job's copy of a template, or the template itself until someone starts it. */
export type JobChecklist = { template_id: string; name: string; items: ChecklistItem[] }

export type ChecklistJob = Pick<Job, 'id' | 'title' | 'status'>

/**
 * Returns the checklists of a job: its own copies once started, before that the templates that apply to it. A job
 * finished or canceled without one gets none later.
 */
export async function findChecklists(db: Db, job: ChecklistJob): Promise<JobChecklist[]> {
  return (await findChecklistsByJob(db, [job])).get(job.id) ?? []
}

/** Returns the checklists of several jobs in one round trip. */
export async function findChecklistsByJob(db: Db, jobs: readonly ChecklistJob[]): Promise<Map<string, JobChecklist[]>> {
  const [copies, templates] = await Promise.all([
    db.all<Copy>(sql`${COPIES} where l.tenant_id = ${db.tenant} and l.job_id = any(${jobs.map(({ id }) => id)}::uuid[])
      order by l.position, l.added_at, l.template_id`),
    listTemplates(db),
  ])
  const byJob = Map.groupBy(copies, ({ job_id }) => job_id)
  return new Map(
    jobs.map((job) => {
      const jobCopies = byJob.get(job.id)
      return [job.id, jobCopies === undefined ? toPlannedChecklists(templates, job) : toChecklists(jobCopies)]
    }),
  )
}

type Copy = JobChecklist & { job_id: string; left_out_at: string | null }

const COPIES = sql`select l.job_id, l.template_id, l.name, l.left_out_at,
  (select coalesce(json_agg(json_build_object('id', i.id, 'text', i.text, 'kind', i.kind, 'is_required', i.is_required,
    'value', i.value,
      'done_at', case when i.value is not null then to_char(i.answered_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
      'done_by_name', u.name)
      order by i.position, i.id), '[]')
    from job_checklist_items i left join users u on u.id = i.answered_by and i.value is not null
    where i.tenant_id = ${ENTERED_TENANT} and i.job_id = l.job_id and i.template_id = l.template_id) as items
  from job_checklists l`

const toChecklists = (copies: readonly Copy[]): JobChecklist[] =>
  copies
    .filter(({ left_out_at }) => left_out_at === null)
    .map(({ template_id, name, items }) => ({ template_id, name, items }))

const isClosed = ({ status }: ChecklistJob): boolean => status === 'done' || status === 'cancelled'

const toPlannedChecklists = (templates: readonly ChecklistTemplate[], job: ChecklistJob): JobChecklist[] =>
  isClosed(job) ? [] : templates.filter((template) => isTemplateFor(template, job.title)).map(toOpenChecklist)

const toOpenChecklist = ({ id, name, items }: ChecklistTemplate): JobChecklist => ({
  template_id: id,
  name,
  items: items.map((item) => ({ ...item, value: null, done_at: null, done_by_name: null })),
})

/** Adds a checklist to a job, or restores one that was removed. */
export async function addChecklist(db: Db, job: ChecklistJob, template: string, by: { user: string }): Promise<void> {
  await beginChecklists(db, job)
  const restored = await db.run(sql`update job_checklists set left_out_at = null
    where tenant_id = ${db.tenant} and job_id = ${job.id} and template_id = ${template} and left_out_at is not null`)
  const added = restored > 0 ? 0 : await copyTemplates(db, job, [await findTemplate(db, template)], by.user)
  if (restored + added > 0)
    await db.run(
      auditChange(db.tenant, by, 'jobs.add_checklist', job.id, { checklist: [null, await nameOf(db, job, template)] }),
    )
}

/** Removes a checklist from a job; its answers stay on record. */
export async function removeChecklist(
  db: Db,
  job: ChecklistJob,
  template: string,
  by: { user: string },
): Promise<void> {
  await beginChecklists(db, job)
  const removed = await db.run(sql`update job_checklists set left_out_at = moment()
    where tenant_id = ${db.tenant} and job_id = ${job.id} and template_id = ${template} and left_out_at is null`)
  if (removed === 0) throw notFound('checklist')
  await db.run(
    auditChange(db.tenant, by, 'jobs.leave_out_checklist', job.id, {
      checklist: [await nameOf(db, job, template), null],
    }),
  )
}

const nameOf = async (db: Db, { id }: ChecklistJob, template: string): Promise<string> =>
  (
    await db.one<{ name: string }>(
      sql`select name from job_checklists
        where tenant_id = ${db.tenant} and job_id = ${id} and template_id = ${template}`,
    )
  ).name

/** Copies the templates to a job, once; later template changes don't affect it. Locks the job's row. */
export async function beginChecklists(db: Db, job: ChecklistJob): Promise<void> {
  await db.present(sql`select id from jobs where tenant_id = ${db.tenant} and id = ${job.id} for no key update`, 'job')
  const existing = await db.maybe(
    sql`select 1 from job_checklists where tenant_id = ${db.tenant} and job_id = ${job.id} limit 1`,
  )
  if (existing !== undefined || isClosed(job)) return
  const templates = await listTemplates(db)
  await copyTemplates(
    db,
    job,
    templates.filter((template) => isTemplateFor(template, job.title)),
    null,
  )
}

/** Copies templates that the job doesn't have yet; returns how many. */
export async function copyTemplates(
  db: Db,
  { id }: ChecklistJob,
  templates: readonly Pick<ChecklistTemplate, 'id' | 'name' | 'items'>[],
  by: string | null,
): Promise<number> {
  let added = 0
  for (const { id: template_id, name, items } of templates) {
    const isNew = await db.run(
      insertSelected(sql`insert into job_checklists (tenant_id, job_id, template_id, name, position, added_by)
      select ${db.tenant}, ${id}, ${template_id}, ${name}, count(*), ${by} from job_checklists
      where tenant_id = ${db.tenant} and job_id = ${id}
      on conflict do nothing`),
    )
    added += isNew
    if (isNew > 0 && items.length > 0)
      await db.run(
        sql`insert into job_checklist_items ${valuesOf(
          items.map((item, position) => ({ tenant_id: db.tenant, job_id: id, template_id, ...item, position })),
        )}`,
      )
  }
  return added
}

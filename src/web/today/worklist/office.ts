import { listAppRequests } from '../../../identity/apps/requests.ts'
import { describeScopes } from '../../../identity/permissions/names.ts'
import { listWaitingProposals } from '../../../approvals/proposal.ts'
import { maySee } from '../../../approvals/plan_view.ts'
import { countUnreadCorrespondents, listCorrespondents } from '../../../messaging/inbox/correspondents.ts'
import { countUndecided, listOutbox } from '../../../messaging/outbox/list.ts'
import { listLateReports } from '../../../mobile/late.ts'
import { html } from '../../../platform/html/html.ts'
import { say, sayCount, sayFor } from '../../../platform/i18n/say.ts'
import { lowerBound } from '../../../platform/validation/formats/instants.ts'
import { day, moment, money, shortMoment, time } from '../../../records/format/formats.ts'
import { recordLink } from '../../../records/page/links.ts'
import { statusTag } from '../../../records/page/parts.ts'
import { proposerName } from '../../approvals/words.ts'
import type { MemberContext } from '../../member_context.ts'
import { conversationPath, personNameOf } from '../../messaging/inbox/counterpart.ts'
import { recipientOf } from '../../messaging/outbox/words.ts'
import { MAX_COUNT } from '../../shell/waiting.ts'
import { MAX_ITEMS, type WorkGroup } from './worklist.ts'

/** Lists apps that members asked an owner to approve. */
export async function appRequests(context: MemberContext): Promise<WorkGroup> {
  const waiting = (await context.read(listAppRequests)).filter(({ state }) => state === 'waiting')
  const all = context.path('settings', 'apps')
  return {
    title: say`Apps to approve`,
    count: waiting.length,
    all,
    items: waiting
      .slice(0, MAX_ITEMS)
      .map(({ name, host, user_name, scopes, proposes }) => ({
        title: html`<bdi>${name}</bdi> · ${host}`,
        help: say`${user_name} asks: ${describeScopes(scopes, proposes)}`,
        step: { label: say`Review`, href: all, about: name },
      })),
  }
}

/** Lists who is running late today, for dispatchers. */
export async function lateReports(context: MemberContext, today: Temporal.PlainDate): Promise<WorkGroup> {
  const { timezone } = context.company
  const late = await context.read((db) => listLateReports(db, lowerBound(timezone, today.toString())))
  return {
    title: say`Running late`,
    count: late.length,
    items: late.map(({ user_name, job_id, display_number, title, minutes, told, at }) => ({
      title: html`${user_name} · ${recordLink(context, 'jobs', job_id, `${display_number} ${title}`)}`,
      help: html`${time(at, timezone)}${
        told > 0 ? ` · ${sayCount(told, 'One customer was notified', '{0} customers were notified')}` : ''
      }`,
      mark: say`About ${minutes} minutes`,
    })),
  }
}

/** Lists proposals of assistants, oldest first. */
export async function proposalsToDecide(context: MemberContext): Promise<WorkGroup> {
  const waiting = (await context.read((db) => listWaitingProposals(db, 100))).filter((one) =>
    maySee(context.caller, one),
  )
  return {
    title: say`Proposals`,
    count: waiting.length,
    all: context.path('proposals'),
    items: waiting
      .slice(0, MAX_ITEMS)
      .map((one) => ({
        title: proposerName(one),
        help: [sayCount(one.calls, 'One change', '{0} changes'), moment(one.created_at, context.company.timezone)].join(
          ' · ',
        ),
        step: { label: say`Review`, href: context.path('proposals', one.id), about: proposerName(one) },
      })),
  }
}

/** Lists unread messages. */
export async function unreadMessages(context: MemberContext): Promise<WorkGroup> {
  const [{ rows }, count] = await context.read((db) =>
    Promise.all([
      listCorrespondents(db, 'unread', { user: context.user.id }),
      countUnreadCorrespondents(db, MAX_COUNT),
    ]),
  )
  return {
    title: say`Unread messages`,
    count,
    all: `${context.path('messages')}?view=unread`,
    items: rows.slice(0, MAX_ITEMS).map((row) => {
      const [name, href] = [personNameOf(row), conversationPath(context, row)]
      return {
        title:
          row.customer_id === null
            ? html`<a href="${href}">${name}</a>`
            : recordLink(context, 'customers', row.customer_id, name),
        help: `${shortMoment(row.last_occurred_at, context.company.timezone)} · ${row.last_text.slice(0, 90)}`,
        step: { label: say`Reply`, href, about: name },
      }
    }),
  }
}

/** Lists messages that couldn't be sent, or may not have been. */
export async function unsentMessages(context: MemberContext): Promise<WorkGroup> {
  const [{ rows }, count] = await context.read((db) =>
    Promise.all([listOutbox(db, ['uncertain', 'held']), countUndecided(db)]),
  )
  return {
    title: say`Messages not sent`,
    count,
    all: `${context.path('outbox')}?view=undecided`,
    items: rows
      .slice(0, MAX_ITEMS)
      .map((row) => ({
        title: html`<a href="${context.path('outbox', row.id)}">${recipientOf(row)}</a>`,
        help: row.subject ?? row.body.slice(0, 90),
        step: { label: say`Review`, href: context.path('outbox', row.id), about: recipientOf(row) },
      })),
  }
}

/** Lists the unassigned visits of today and tomorrow. */
export async function visitsWithoutCrew(context: MemberContext, today: Temporal.PlainDate): Promise<WorkGroup> {
  const filter = {
    unassigned: true,
    status: ['scheduled', 'on_hold'],
    scheduled_from: today.toString(),
    scheduled_to: today.add({ days: 1 }).toString(),
  }
  const { rows, total = rows.length } = await context.call('jobs_list', {
    ...filter,
    limit: MAX_ITEMS,
    include_total: true,
  })
  return {
    title: say`Visits without a technician`,
    count: total,
    all: `${context.path('jobs')}?unassigned=yes`,
    items: rows.map(({ id, title, customer_name, scheduled_start }) => ({
      title: recordLink(context, 'jobs', id, title),
      help:
        scheduled_start === undefined
          ? customer_name
          : `${customer_name} · ${moment(scheduled_start, context.company.timezone)}`,
      step: context.may('write:jobs')
        ? { label: say`Assign`, href: context.path('schedule', 'move', id), about: title }
        : undefined,
    })),
  }
}

/** Lists jobs without a time, urgent ones first. */
export async function jobsToSchedule(context: MemberContext): Promise<WorkGroup> {
  const { rows, total = rows.length } = await context.call('jobs_list', {
    status: ['unscheduled'],
    sort: 'created_desc',
    limit: 50,
    include_total: true,
  })
  const first = [...rows].sort((a, b) => rankOf(a.priority) - rankOf(b.priority)).slice(0, MAX_ITEMS)
  return {
    title: say`To schedule`,
    count: total,
    all: `${context.path('jobs')}?status=unscheduled`,
    items: first.map(({ id, title, customer_name, priority }) => ({
      title: recordLink(context, 'jobs', id, title),
      help: customer_name,
      mark: rankOf(priority) < 2 ? statusTag(priority) : undefined,
      step: context.may('write:jobs')
        ? { label: sayFor('action')`Schedule`, href: context.path('schedule', 'move', id), about: title }
        : undefined,
    })),
  }
}

const PRIORITIES = ['urgent', 'high', 'normal', 'low']
const rankOf = (priority: string): number => PRIORITIES.indexOf(priority)

/** Lists overdue invoices. */
export async function overdueInvoices(context: MemberContext, today: Temporal.PlainDate): Promise<WorkGroup> {
  const { rows, total = rows.length } = await context.call('invoices_list', {
    overdue: true,
    limit: MAX_ITEMS,
    include_total: true,
  })
  return {
    title: say`Overdue invoices`,
    count: total,
    all: `${context.path('invoices')}?overdue=yes`,
    items: rows.map(({ id, display_number, customer_name, due_date, balance_due_cents, currency }) => ({
      title: recordLink(context, 'invoices', id, display_number),
      help: sayCount(
        Temporal.PlainDate.from(due_date).until(today).days,
        '{1}, one day late',
        '{1}, {0} days late',
        customer_name,
      ),
      mark: money(balance_due_cents, currency),
      step: context.may('write:invoices')
        ? { label: say`Remind`, href: `${context.path('invoices', 'remind')}?ids=${id}`, about: display_number }
        : undefined,
    })),
  }
}

/** Lists quotes that await an answer. */
export async function openQuotes(context: MemberContext): Promise<WorkGroup> {
  const { rows, total = rows.length } = await context.call('quotes_list', {
    status: 'sent',
    limit: MAX_ITEMS,
    include_total: true,
  })
  return {
    title: say`Quotes waiting`,
    count: total,
    all: `${context.path('quotes')}?status=sent`,
    items: rows.map(({ id, display_number, title, customer_name, valid_until, total_cents }) => ({
      title: recordLink(context, 'quotes', id, `${display_number} ${title}`),
      help: valid_until === undefined ? customer_name : say`${customer_name}, until ${day(valid_until)}`,
      mark: money(total_cents, context.company.currency),
      step: context.may('write:quotes')
        ? { label: say`Follow up`, href: context.path('quotes', id), about: display_number }
        : undefined,
    })),
  }
}

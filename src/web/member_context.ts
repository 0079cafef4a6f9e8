import { findSignedInMember, type SignedInMember } from '../identity/people/recovery/signed_in_member.ts'
import { entryOf, type Caller } from '../identity/credentials/caller.ts'
import { isBound, type Session } from '../identity/sign_in/sessions.ts'
import { disconnectSignal, defaultDeadline, type Deadline } from '../identity/deadline.ts'
import { retryStale } from '../identity/permissions/rights.ts'
import { coalesceReads } from '../platform/db/connections/coalesced.ts'
import { readTenant, writeTenant, type Db, type TenantEntry, type WritableDb } from '../platform/db/tenant.ts'
import { messageRefusal } from '../platform/html/message.ts'
import type { PageRequest } from '../platform/http/page_request.ts'
import type { HttpRefusal } from '../platform/errors/http_refusal.ts'
import { Refusal, Uncertain } from '../platform/errors/refusal.ts'
import { canSend } from '../messaging/outbox/senders/senders.ts'
import { changeReader } from '../platform/i18n/reader.ts'
import { say } from '../platform/i18n/say.ts'
import type { PageContext } from '../records/page/page_context.ts'
import type { ListedTool } from '../tools/declare/catalog.ts'
import { callTool, callWithin, isFailed } from '../tools/call/call.ts'
import { wantsPage } from './guards.ts'
import { notFoundRefusal } from './not_found.ts'
import { takeFlashMessage, type FlashMessage } from './flash_message.ts'
import { NO_COUNTS, countWaiting, visibleCounts, type CompanyMenuCounts, type MenuCounts } from './shell/waiting.ts'
import { requireMember, type MemberSession } from './sign_in/session.ts'
import type { Site } from './site.ts'
import { refusals } from './refusals.ts'
import { asDeclared } from '../tools/declare/inputs.ts'

/** Context of a member's page: the tools, under the rights in force at each call. */
export type MemberContext = PageContext & {
  readonly session: MemberSession
  readonly user: MemberSession['user']
  /** Counts in the menu. */
  readonly menuCounts: MenuCounts
  /** True if the company has an assistant, so that pages offer it. */
  readonly hasAssistant: boolean
  /** Returns the message of the previous page, to show above this page's body. */
  takeMessage(): FlashMessage | undefined
  /** Checks whether the company can send on a channel, so that pages can say so before a button is pressed. */
  canSend(channel: 'email' | 'sms'): Promise<boolean>
  /** Runs work that checks its caller's rights itself, and retries it if they have changed. */
  withCaller<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  /** Writes beyond tools and actions; the work checks `may` itself and is retried if rights have changed. */
  write<T>(work: (db: WritableDb) => Promise<T>): Promise<T>
  /** Runs a tool or action inside `write`, in the same transaction. */
  within(db: Db, wire: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
}

/** Returns the context of a member who may see a page; throws a 404 for others. */
export async function requireAllowed(
  site: Site,
  request: PageRequest,
  isAllowed: (context: MemberContext) => boolean,
): Promise<MemberContext> {
  const context = await requireMemberContext(site, request)
  if (!isAllowed(context)) throw notFoundRefusal()
  return context
}

/** Returns the context of the signed-in user in the company of the path; throws a 404 for others. */
export async function requireMemberContext(site: Site, request: PageRequest): Promise<MemberContext> {
  let pendingCounts = Promise.resolve(NO_COUNTS)
  const session = await requireMember(site, request, (db) => {
    if (wantsPage(request)) pendingCounts = countWaiting(db).catch(() => NO_COUNTS)
  })
  return memberContextOf(site, request, session, await pendingCounts)
}

/** Context of a user signed in with their own account, who may change what belongs to them in all companies. */
export type OwnContext = MemberContext & { readonly session: Session & SignedInMember }

/**
 * Returns the context for pages of a user rather than a company: their account, sessions and notices. A user signed in
 * through the company's own provider is asked to sign in to their account.
 */
export async function requireOwnContext(site: Site, request: PageRequest): Promise<OwnContext> {
  const context = await requireMemberContext(site, request)
  if (!isOwnContext(context)) throw ownAccountRefusal(context)
  return context
}

/** Checks whether a user is signed in to all their companies. */
export const isOwnContext = (context: MemberContext): context is OwnContext => !isBound(context.session)

const ownAccountRefusal = ({ company, path }: MemberContext): HttpRefusal =>
  messageRefusal({
    title: say`This belongs to your own account`,
    status: 403,
    body: say`You are signed in to ${company.name} only, through its provider. Sign in with your own account to see and change what is yours in every company.`,
    next: { label: say`Sign in with your own account`, href: `/sign-in?to=${encodeURIComponent(path('settings'))}` },
  })

/**
 * Returns the context of an already identified member, and switches to their language. `signal` aborts its work when
 * the client disconnects.
 */
export function memberContextOf(
  site: Site,
  request: PageRequest,
  session: MemberSession,
  counts: CompanyMenuCounts = NO_COUNTS,
  signal: AbortSignal = disconnectSignal(request.env.outgoing),
): MemberContext {
  const { company, user } = session
  changeReader({ country: company.country, ...(user.language && { language: user.language }) })
  const deadline = (): Deadline => ({ by: defaultDeadline(), signal })
  const database = coalesceReads(site.database)
  const access = openAccess(site, session)
  const tools = openTools({ actions: site.actions, toolContext: site.toolContext, database }, access, deadline)
  const toTenantEntry = (by: Caller): TenantEntry => ({ ...entryOf(by), options: deadline() })
  const read = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    access.withCaller((caller) => readTenant(database, toTenantEntry(caller), work))
  return {
    session,
    user,
    company,
    takeMessage: () => takeFlashMessage(request),
    call: (wire, input) => asDeclared(tools.run(wire, input)),
    callOf: (entity, verb, input) => asDeclared(tools.run(`${entity.name}_${verb}`, input)),
    get caller() {
      return access.caller()
    },
    get menuCounts() {
      return visibleCounts((scope) => access.caller().scopes.has(scope), counts)
    },
    hasAssistant: site.assistant !== null && (counts.hasOwnModel || site.assistant.config.model !== null),
    may: (scope) => access.caller().scopes.has(scope),
    withCaller: access.withCaller,
    read,
    canSend: (channel) => read((db) => canSend(db, site.senders, channel)),
    write: (work) => access.withCaller((caller) => writeTenant(site.database, toTenantEntry(caller), work)),
    within: tools.within,
    path: (...steps) => `/${[company.id, ...steps].join('/')}`,
  }
}

/** Member's rights as last read. */
type Access = {
  caller(): Caller
  /** Runs work, and retries it with current rights if they have changed. */
  withCaller: MemberContext['withCaller']
}

function openAccess(site: Site, { company, user, caller: initialCaller }: MemberSession): Access {
  let caller = initialCaller
  return {
    caller: () => caller,
    withCaller: (work) => {
      let usedCaller = caller
      return retryStale(
        () => work((usedCaller = caller)),
        async (stale) => {
          const member = await findSignedInMember(site.database, company.id, user.id)
          if (member === null) throw notFoundRefusal()
          // Refused under current rights; a retry would end the same.
          if (member.caller.credential.version === usedCaller.credential.version) throw stale
          caller = member.caller
        },
      )
    },
  }
}

/** Returns functions that run tools and actions as a member, and throw if refused. */
function openTools(
  { actions, toolContext, database }: Pick<Site, 'actions' | 'toolContext' | 'database'>,
  access: Access,
  deadline: () => Deadline,
): Pick<MemberContext, 'within'> & {
  run(wire: string, input?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
} {
  const findAction = (wire: string): ListedTool => {
    const listed = actions.get(wire)
    if (listed === undefined) throw new Error(`There is no tool or act ${wire}`)
    return listed
  }
  const coalescingContext = { ...toolContext, database }
  return {
    async run(wire, input = {}) {
      const listed = findAction(wire)
      const answer = await access.withCaller((caller) =>
        callTool(coalescingContext, { listed, caller, client: null, input, deadline: deadline() }),
      )
      if (!isFailed(answer)) return answer.result
      if ('refusal' in answer) throw answer.refusal
      if (answer.fault.mayBeDone) throw new Uncertain(`The answer to the COMMIT of ${wire} was lost`)
      throw new Refusal('internal', [{ path: '', rule: refusals.unexpected({ reference: answer.fault.reference }) }])
    },
    within: (db, wire, input) =>
      callWithin(db, toolContext, { listed: findAction(wire), caller: access.caller(), client: null, input }),
  }
}

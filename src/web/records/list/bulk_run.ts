import { setTimeout } from 'node:timers/promises'
import { claimKey, findAnswer, saveAnswer } from '../../../tools/call/idempotency.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { Unavailable } from '../../../platform/errors/refusal.ts'
import { newId } from '../../../platform/validation/id.ts'
import { say } from '../../../platform/i18n/say.ts'
import { frame } from '../../frame.ts'
import { memberContextOf, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'

/** Progress of a bulk change. Once it takes longer, it is stored for a day under a key of the person's. */
export type BulkState = {
  /** Action, which selects the page. */
  act: string
  /** Query of the list it started from. */
  asked: string
  total: number
  done: number
  refused: { id: string; reason: string }[]
  isEnded: boolean
  /** True if an unexpected error ended it. */
  isBroken: boolean
  /** Time of the last progress. */
  at: number
}

/** Handles one record. Returns the reason if it is refused. */
type RecordHandler = (context: MemberContext, id: string) => Promise<string | undefined>

/** Milliseconds before the progress page appears, between two progress updates, and until a run counts as stuck. */
const [PROGRESS_DELAY_MS, PROGRESS_INTERVAL_MS, STUCK_MS] = [1_500, 500, 120_000]

/** Milliseconds before a busy record is tried again. */
const RETRY_DELAY_MS = 200

type BulkWork = { action: string; listQuery: string; ids: readonly string[] }

/**
 * Handles several records one by one, even if the person leaves the page. Returns the result, or the id of the run if
 * it takes longer.
 */
export async function runBulk(
  site: Site,
  context: MemberContext,
  { action, listQuery, ids }: BulkWork,
  each: RecordHandler,
): Promise<BulkState | string> {
  const state: BulkState = {
    act: action,
    asked: listQuery,
    total: ids.length,
    done: 0,
    refused: [],
    isEnded: false,
    isBroken: false,
    at: Date.now(),
  }
  const id = newId()
  let hasSavedProgress = false
  const saveProgress = (): Promise<void> => saveState(context, id, { ...state, at: Date.now() })
  const work = async (): Promise<void> => {
    for (const one of ids) {
      const reason = await retryWhileBusy(() => each(context, one))
      if (reason !== undefined) state.refused.push({ id: one, reason })
      state.done++
      if (hasSavedProgress && Date.now() - state.at > PROGRESS_INTERVAL_MS) {
        state.at = Date.now()
        await saveProgress().catch((error: unknown) => site.report(id, error))
      }
    }
    state.isEnded = true
  }
  const ended = work()
  await Promise.race([ended, setTimeout(PROGRESS_DELAY_MS)])
  if (state.isEnded) return state
  const finished = ended.catch((error: unknown) => {
    site.report(id, error)
    state.isEnded = true
    state.isBroken = true
  })
  hasSavedProgress = true
  await saveProgress()
  void finished.then(saveProgress).catch((error: unknown) => site.report(id, error))
  return id
}

/** Maximum tries for a record that someone else is changing. */
const MAX_TRIES = 4

/** Retries a busy record, and skips it if it stays busy, so that the others go on. */
async function retryWhileBusy(work: () => Promise<string | undefined>): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      if (error.isLost || tries === MAX_TRIES) return say`It was busy. Try again.`
      await setTimeout(RETRY_DELAY_MS)
    }
  }
}

/** Returns a context that outlives the request, for work that continues after the person leaves the page. */
export const backgroundContext = (site: Site, request: PageRequest, { session }: MemberContext): MemberContext =>
  memberContextOf(site, request, session, undefined, new AbortController().signal)

const keyOf = ({ caller }: MemberContext, id: string) => ({
  caller,
  listed: { canonical: 'pages.bulk' },
  input: { id },
})

async function saveState(context: MemberContext, id: string, state: BulkState): Promise<void> {
  await context.write(async (db) => {
    await claimKey(db, keyOf(context, id), id)
    await db.run(saveAnswer(keyOf(context, id), id, state))
  })
}

/** Returns the progress of the person's own run. Answers 404 to others. */
export async function findBulkRun(context: MemberContext, id: string): Promise<BulkState & { isStuck: boolean }> {
  const row = await context.read((db) => findAnswer(db, keyOf(context, id), id))
  if (row?.answer == null) throw notFoundRefusal()
  const state: BulkState = JSON.parse(row.answer)
  return { ...state, isStuck: !state.isEnded && Date.now() - state.at > STUCK_MS }
}

/** Draws the progress on a page that refreshes itself. */
export const progressPage = (
  context: MemberContext,
  title: string,
  here: string,
  { done, total }: Pick<BulkState, 'done' | 'total'>,
): Html =>
  frame(context, {
    title,
    here,
    width: 'narrow',
    refreshes: 2,
    body: html`
<section class="ticket" aria-live="polite">
  <h1>${title}</h1>
  <p><progress value="${done}" max="${total}" aria-label="${say`Progress`}"></progress>
    ${say`${done} of ${total} done`}</p>
  <p class="help">${say`You can leave this page. The work continues.`}</p>
</section>`,
  })

import {
  bookingAt,
  choose,
  DETAILS,
  hiddenIn,
  jobsOf,
  mailTo,
  sendDetails,
  startsIn,
  book,
} from '../../../test/booking/scene.ts'
import { openPortalScene } from '../../../test/customer_portal/portal_scene.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { requestBy, type StateContext, type States } from './context.ts'

let serial = 0

/** Opens a new company with online booking, with a stranger on its page. */
async function open({ service }: StateContext, rules: Readonly<Record<string, string>> = {}) {
  const name = `sandbox-${++serial}`
  const scene = await bookingAt(await openPortalScene({}, service), {
    may_move: 'yes',
    may_cancel: 'yes',
    ...rules,
    name,
  })
  return { scene, stranger: scene.browser() }
}

const jar = { jar: new Map<string, string>() }

/** Returns the details page of a stranger who has chosen a time. */
async function chooseTime(context: StateContext, isProved = true) {
  const { scene, stranger } = await open(context)
  const { answer } = await choose(scene, stranger, { isProved })
  return { scene, stranger, location: answer.location! }
}

/** Returns the address of a customer's own visit that is a week away. */
async function makeVisit(context: StateContext, step: 'move' | 'cancel') {
  const { scene, stranger } = await open(context)
  const path = await scene.issue({ kind: 'customers', id: String(scene.customer['id']) })
  const today = Temporal.Now.plainDateISO('America/New_York')
  const job = await scene.office.call('jobs_create', {
    customer_id: scene.customer['id'],
    title: 'Fix the faucet',
    scheduled_start: `${today.add({ days: 2 + ((9 - today.dayOfWeek) % 7) }).toString()}T09:00`,
    duration_minutes: 60,
    assignees: [scene.office.owner.user_id],
  })
  return { scene, stranger, path: `${path}/visits/${String(job['id'])}/${step}` }
}

/** Routes of online booking, and of customers' own visits. */
export const bookingStates: States = {
  'GET /book/:name': async (context) => requestBy(jar, (await open(context)).scene.page),
  'GET /book/:name/:service{[0-9a-f-]{36}}': async (context) => {
    const { scene } = await open(context)
    return requestBy(jar, `${scene.page}/${scene.item}`)
  },
  'POST /book/:name/:service{[0-9a-f-]{36}}': async (context) => {
    const { scene, stranger } = await open(context)
    const { text } = await stranger.get(`${scene.page}/${scene.item}`)
    const fields = { t: hiddenIn(text, 't'), start: startsIn(text)[0]!, proof: '' }
    return requestBy(jar, `${scene.page}/${scene.item}`, fields)
  },
  'GET /book/:name/details': async (context) => requestBy(jar, (await chooseTime(context)).location),
  'POST /book/:name/details': async (context) => {
    const { scene, stranger, location } = await chooseTime(context)
    const t = hiddenIn((await stranger.get(location)).text, 't')
    return requestBy(jar, `${scene.page}/details`, { t, ...DETAILS })
  },
  'POST /book/:name/code': async (context) => {
    const { scene, stranger, location } = await chooseTime(context, false)
    const email = `${newId()}@example.com`
    const asks = await sendDetails(scene, stranger, location, { email })
    const code = /is (\d{6})\./.exec((await mailTo(scene, email)).at(-1)?.body ?? '')?.[1] ?? ''
    const fields = { ...DETAILS, phone: '512 555 0198', email, t: hiddenIn(asks.text, 't'), code }
    return requestBy(jar, `${scene.page}/code`, fields)
  },
  'GET /book/:name/done': async (context) => {
    const { scene, stranger } = await open(context)
    return requestBy(jar, (await book(scene, stranger)).done.location!)
  },
  'POST /:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/online-booking': async (context) => {
    const { scene, stranger } = await open(context, { needs_approval: 'yes' })
    await book(scene, stranger)
    const [job] = (await jobsOf(scene)).slice(-1)
    return requestBy(scene.office.browser, scene.office.at('jobs', job!.id, 'online-booking'), { act: 'approve' })
  },
  'GET /c/:secret/visits/:id{[0-9a-f-]{36}}/move': async (context) =>
    requestBy(jar, (await makeVisit(context, 'move')).path),
  'POST /c/:secret/visits/:id{[0-9a-f-]{36}}/move': async (context) => {
    const { stranger, path } = await makeVisit(context, 'move')
    return requestBy(jar, path, { start: startsIn((await stranger.get(path)).text)[0] ?? '' })
  },
  'GET /c/:secret/visits/:id{[0-9a-f-]{36}}/cancel': async (context) =>
    requestBy(jar, (await makeVisit(context, 'cancel')).path),
  'POST /c/:secret/visits/:id{[0-9a-f-]{36}}/cancel': async (context) =>
    requestBy(jar, (await makeVisit(context, 'cancel')).path, { reason: 'It works again' }),
}

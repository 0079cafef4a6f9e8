import { setTimeout as sleep } from 'node:timers/promises'
import { makeDemo } from '../../../src/cli/installation/demo_company.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { newBrowser } from '../../../test/harness/web_client.ts'
import { formBy, requestBy, type StateContext, type States } from './context.ts'

/** Makes a demo company, and signs its owner in. */
async function openDemo({ service }: StateContext) {
  const demo = await makeDemo(service.database, service.config)
  const browser = newBrowser(service)
  await browser.signIn(demo.owner.email, '/', demo.owner.password)
  return { browser, path: `/${demo.tenant.id}/demo` }
}

const DAY = '2027-03-08'

/** Opens the plan for a day on which one of two technicians has all the work, once it is ready. */
async function openPlan({ sandbox: { office } }: StateContext) {
  const [{ user_id: busy }] = [await office.signInMember('tech'), await office.signInMember('tech')]
  for (let hour = 8; hour < 17; hour++) {
    const location = { address_line1: '1 Main St', latitude: 40.7, longitude: -74 + (hour % 2) / 4 }
    const customer = await office.customer('Ana', { locations: [location] })
    await office.call('jobs_create', {
      customer_id: customer['id'],
      title: 'Drain',
      scheduled_start: `${DAY}T${String(hour).padStart(2, '0')}:00`,
      duration_minutes: 60,
      assignees: [busy],
    })
  }
  const path = `${office.at('schedule', 'plan')}?day=${DAY}`
  for (;;) {
    const page = await office.browser.get(path)
    if (!page.text.includes('Planning…')) return { page, path }
    await sleep(50)
  }
}

/** Routes of a company's setup, of the plan for a day, and of the map. */
export const setupStates: States = {
  'GET /:tenant{[0-9a-f-]{36}}/demo': async (context) => {
    const { browser, path } = await openDemo(context)
    return requestBy(browser, path)
  },
  'POST /:tenant{[0-9a-f-]{36}}/demo': async (context) => {
    const { browser, path } = await openDemo(context)
    return requestBy(browser, path, { act: 'reset' })
  },
  'POST /:tenant{[0-9a-f-]{36}}/setup/tax': async ({ sandbox: { office } }) =>
    requestBy(office.browser, office.at('setup', 'tax'), { name: newId(), rate_percentage: '8.25' }),
  'GET /:tenant{[0-9a-f-]{36}}/schedule/tiles': ({ sandbox: { office } }) =>
    Promise.resolve(requestBy(office.browser, office.at('schedule', 'tiles'))),
  'GET /:tenant{[0-9a-f-]{36}}/schedule/tiles/:z{[0-9]{1,2}}/:x{[0-9]{1,7}}/:y{[0-9]{1,7}}': ({
    sandbox: { office },
  }) => Promise.resolve(requestBy(office.browser, office.at('schedule', 'tiles', '10', '301', '385'))),
  'POST /:tenant{[0-9a-f-]{36}}/schedule/plan': async (context) => {
    const { page, path } = await openPlan(context)
    return formBy(context.sandbox.office.browser, page, path)
  },
}

import type { BrowserContextOptions, Page } from 'playwright-core'
import { openSchedule } from '../../harness/database/schedules.ts'
import { ZONE } from '../../harness/messaging/phones.ts'
import { startSite } from '../../harness/web_client.ts'
import { evaluateOn, launch, openPage } from '../harness/launch.ts'
import { pngOf } from '../harness/png.ts'
import { PHONE, openVisits } from './phone_page.ts'

export const PHOTO = { name: 'IMG_1.png', mimeType: 'image/png', buffer: pngOf(3000, 2000, [200, 90, 20]) }

export type FieldCompany = Awaited<ReturnType<typeof openFieldCompany>>

/** Starts a site with a company and its technician Luis, and a browser for their phones. */
export async function openFieldCompany() {
  const service = await startSite()
  const company = await openSchedule(service, 'Alder Plumbing', ZONE)
  const luis = await company.hire('Luis Ortega')
  const browser = await launch()
  let serial = 0

  /** Books a visit today that no other test uses. */
  async function bookToday(assignees: string[], title = `Visit ${++serial}`): Promise<{ id: string; title: string }> {
    const today = Temporal.Now.plainDateISO(ZONE)
    const { id } = await company.book({ title, scheduled_start: `${today.toString()}T12:00`, assignees })
    return { id: String(id), title }
  }

  const signIn = (page: Page, email: string): Promise<void> =>
    openVisits(page, service.config.baseUrl, company.id, email)

  /** Opens a phone whose user has loaded their visits once. */
  async function openPhone(email: string, options: BrowserContextOptions = {}) {
    const opened = await openPage(browser, { ...PHONE, ...options })
    await signIn(opened.page, email)
    return { ...opened, context: opened.page.context() }
  }

  return {
    service,
    company,
    luis,
    browser,
    bookToday,
    signIn,
    openPhone,
    stop: async (): Promise<void> => {
      await browser.close()
      await service.stop()
    },
  }
}

/** Returns a photo that JPEG can't compress, so that its upload takes several pieces. */
export async function noise(page: Page): Promise<Buffer> {
  const base64 = await evaluateOn(
    page,
    `(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 1000 })
    const pixels = canvas.getContext('2d').createImageData(1200, 1000)
    for (let at = 0; at < pixels.data.length; at += 65536) crypto.getRandomValues(pixels.data.subarray(at, at + 65536))
    for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255
    canvas.getContext('2d').putImageData(pixels, 0, 0)
    return canvas.toDataURL('image/png').split(',')[1]
  })()`,
  )
  return Buffer.from(String(base64), 'base64')
}

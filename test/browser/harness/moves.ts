import type { Locator, Page } from 'playwright-core'
import { waitOnWhole } from './launch.ts'

/** Presses a button in the page's main content. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
/** Follows a link in the page's main content. */
export const follow = (page: Page, name: string | RegExp): Promise<void> =>
  page
    .getByRole('main')
    .getByRole('link', typeof name === 'string' ? { name, exact: true } : { name })
    .click()
/** Opens a page from the menu. */
export const goTo = (page: Page, room: string | RegExp): Promise<void> =>
  page.getByRole('navigation', { name: 'Company' }).getByRole('link', { name: room, exact: true }).click()
/** Waits for a page by its heading. */
export const title = (page: Page, name: string | RegExp): Promise<void> =>
  waitOnWhole(page.getByRole('heading', { level: 1, name }))
/** Waits for the status beside the heading. */
export const state = (page: Page, name: string): Promise<void> =>
  waitOnWhole(page.locator('h1 .status').getByText(name, { exact: true }))
/** Returns a field of a line, counted from one. */
export const cell = (page: Page, line: number, name: string): Locator =>
  page.getByRole('group', { name: `Line ${line}`, exact: true }).getByLabel(name, { exact: true })
/** Opens the menu in a record's header. */
export const openMenu = (page: Page): Promise<void> => page.locator('.page-head .more > summary').click()
/** Expands the additional fields of a form. */
export const unfold = (page: Page): Promise<void> => page.locator('.further > summary').click()
/** Returns the id in the address of a record. */
export const idIn = (page: Page): string => /[0-9a-f-]{36}$/.exec(new URL(page.url()).pathname)![0]

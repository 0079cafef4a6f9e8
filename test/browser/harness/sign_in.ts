import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../../harness/web_client.ts'

/** Signs a user in to a page's profile like the sign-in form does. That page has its own tests. */
export async function signInAs(page: Page, baseUrl: string, email: string, password = PASSWORD): Promise<void> {
  const answer = await page
    .context()
    .request.post(`${baseUrl}/sign-in`, {
      form: { email, password, to: '/' },
      headers: { origin: baseUrl },
      maxRedirects: 0,
    })
  assert.equal(answer.status(), 303, email)
}

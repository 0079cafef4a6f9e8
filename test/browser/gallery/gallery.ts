import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { assetAt } from '../../../src/platform/http/assets.ts'
import { pageResponse } from '../../../src/platform/http/answer.ts'
import { html } from '../../../src/platform/html/html.ts'
import { layout } from '../../../src/platform/html/layout.ts'
import type { Shell } from '../../../src/platform/html/shell.ts'
import { withReader, type Language } from '../../../src/platform/i18n/reader.ts'
import {
  buttonPart,
  chartParts,
  colorPart,
  emptyPart,
  factPart,
  formPart,
  headPart,
  listPart,
  noticePart,
  statusPart,
  typePart,
} from './parts.ts'

const STYLES = ['records.css', 'forms.css', 'lists.css', 'areas.css', 'charts.css']

const SHELL: Shell = {
  company: { name: 'Barton Ridge Plumbing & Air', href: '/' },
  person: { id: 'gallery', name: 'Dana Whitfield' },
  entries: [
    { label: 'Today', href: '#', icon: 'today', isHere: true, within: [] },
    { label: 'Schedule', href: '#', icon: 'schedule', isHere: false, within: [] },
    { label: 'Customers', href: '#', icon: 'customers', isHere: false, within: [] },
    { label: 'Work', href: '#', icon: 'work', isHere: false, within: [], count: { number: 3, label: '3 jobs' } },
    { label: 'Money', href: '#', icon: 'money', isHere: false, within: [] },
    {
      label: 'Messages',
      href: '#',
      icon: 'messages',
      isHere: false,
      within: [],
      count: { number: 2, label: '2 new', isNew: true },
    },
  ],
  below: [{ label: 'Settings', href: '#', icon: 'settings', isHere: false, within: [] }],
  createLinks: [{ label: 'New call', href: '#' }],
  personLinks: [{ label: 'Your profile', href: '#' }],
  search: { action: '/search', query: '' },
  keys: { href: '/keys', areOn: false },
}

const page = () =>
  layout({
    title: 'Gallery',
    shell: SHELL,
    width: 'full',
    styles: STYLES,
    body: html`<link rel="stylesheet" href="/gallery.css">${headPart()}${factPart()}
<div class="parts">${typePart()}${colorPart()}${buttonPart()}${statusPart()}</div>
${noticePart()}${listPart()}${emptyPart()}${chartParts()}${formPart()}`,
  })

/** Styles that only the gallery has. */
const OWN_STYLE = readFileSync(new URL('gallery.css', import.meta.url))

/**
 * Serves a page with all UI parts on loopback, with the service's styles, font and CSP. It is part of the tests, so
 * that no service can serve it.
 */
export async function startGallery(port = 0): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(
    getRequestListener((request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/gallery.css') return new Response(OWN_STYLE, { headers: { 'Content-Type': 'text/css' } })
      const asset = assetAt(pathname, '')
      if (asset !== undefined) return asset
      const language: Language = searchParams.get('in') === 'es' ? 'es' : 'en'
      return withReader({ language, country: 'US' }, () => pageResponse(page()))
    }),
  )
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}/`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

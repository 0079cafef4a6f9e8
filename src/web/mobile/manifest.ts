import { assetAddress } from '../../platform/http/assets.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { currentReader } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'

/** Returns the manifest with which a phone installs the page (W3C, Web Application Manifest). */
export const showManifest = (request: PageRequest): Response =>
  request.json(
    {
      id: '/field/',
      name: say`My visits · Callout`,
      short_name: say`My visits`,
      start_url: '/field/',
      scope: '/field/',
      display: 'standalone',
      lang: currentReader().language,
      background_color: '#edeee8',
      theme_color: '#12403f',
      icons: [
        { src: assetAddress('field_192.png'), sizes: '192x192', type: 'image/png' },
        { src: assetAddress('field_512.png'), sizes: '512x512', type: 'image/png' },
        { src: assetAddress('field_maskable.png'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    },
    200,
    { 'Content-Type': 'application/manifest+json', 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' },
  )

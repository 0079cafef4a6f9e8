import { readFile } from 'node:fs/promises'
import { launch } from '../test/browser/harness/launch.ts'

// node scripts/field_icons.ts: draws the icons of the technician's page from public/icon.svg, as phones install it.

const folder = new URL('../public/', import.meta.url)
const mark = (await readFile(new URL('icon.svg', folder), 'utf8')).replace('<svg ', '<svg width="100%" height="100%" ')

/**
 * Size in pixels, and the mark's share of it. A maskable icon has a small mark because phones crop it to their own
 * shape.
 */
const ICONS = [
  { name: 'field_192.png', size: 192, share: 0.72, round: 0.2 },
  { name: 'field_512.png', size: 512, share: 0.72, round: 0.2 },
  { name: 'field_maskable.png', size: 512, share: 0.56, round: 0 },
  { name: 'field_touch.png', size: 180, share: 0.68, round: 0 },
]

const browser = await launch('whole')
for (const { name, size, share, round } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const [inner, radius] = [Math.round(size * share), Math.round(size * round)]
  await page.setContent(
    `<body style="margin:0;background:none"><div style="display:grid;place-items:center;width:${size}px;height:${size}px;border-radius:${radius}px;background:#12403f"><div style="width:${inner}px;height:${inner}px">${mark}</div></div>`,
  )
  await page.screenshot({ path: new URL(name, folder).pathname, omitBackground: true })
  await page.close()
}
await browser.close()

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LOGO_ID, mailHtml, type MailLook } from './mail_html.ts'

const look: MailLook = {
  language: 'es',
  company: { name: 'Alder & Sons', address: '1 Elm St, Austin, TX', phone: '(512) 555-0100' },
  logo: null,
  facts: [{ label: 'Saldo por pagar', value: '$2,000.00' }],
  action: 'Ver y pagar la factura',
  unsubscribeLabel: 'No recibir más recordatorios',
}
const LINK = 'https://callout.example/c/AAAAAAAAAAAAAAAAAAAAAA'
const TEXT = `Hola Ana:\n\nPuede verla aquí:\n${LINK}\n\n<b>Alder</b> https://alder.example.`

describe('the HTML of a mail', () => {
  it('has language, viewport, dark colors, the facts, one button and the company, and loads nothing', () => {
    const page = mailHtml('Factura 1', TEXT, look, null)
    for (const part of [
      '<html lang="es">',
      'name="viewport"',
      'prefers-color-scheme: dark',
      '$2,000.00',
      `<a class="button" href="${LINK}">Ver y pagar la factura</a>`,
      '<a href="https://alder.example">https://alder.example</a>.',
      'Alder &amp; Sons',
      '1 Elm St, Austin, TX',
      '(512) 555-0100',
      '&lt;b&gt;Alder&lt;/b&gt;',
    ])
      assert.ok(page.includes(part), part)
    assert.equal(page.split('class="button"').length, 2)
    assert.ok(!/(?:src|url)\W{1,2}https?:/.test(page), 'nothing is loaded from outside')
  })

  it('keeps a document number on one line', () => {
    const page = mailHtml('x', 'Invoice INV-1002, Q-7; not A-, 3-4 or state-of-the-art', look, null)
    assert.deepEqual(page.match(/<span class="whole">[^<]*<\/span>/g), [
      '<span class="whole">INV-1002</span>',
      '<span class="whole">Q-7</span>',
    ])
  })

  it('has the company logo with its name as alternative text', () => {
    const logo = { type: 'image/png', content: new Uint8Array([1]) }
    assert.ok(mailHtml('x', TEXT, { ...look, logo }, null).includes(`src="cid:${LOGO_ID}" alt="Alder &amp; Sons"`))
  })
})

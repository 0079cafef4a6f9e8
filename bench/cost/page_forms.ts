import { load, type CheerioAPI } from 'cheerio'

/** A form of a page: its action, and its fields as a browser sends them, with the required ones filled in. */
export type PageForm = { action: string | undefined; fields: [string, string][] }

/** Values that a person would enter, by the type of a field. */
const ENTERED: Readonly<Record<string, string>> = {
  email: 'ana@example.com',
  tel: '+1 617 555 0100',
  url: 'https://example.com',
  number: '1',
  date: '2027-03-31',
  month: '2027-03',
  time: '09:00',
  'datetime-local': '2027-03-31T09:00',
  password: 'correct horse battery staple',
}

/** Returns the addresses of a page's links, and its forms that write. */
export function readPage(text: string): { links: string[]; forms: PageForm[] } {
  const $ = load(text)
  enterRequired($)
  const links = $('a[href], link[href], script[src], img[src]')
    .toArray()
    .map((link) => ($(link).attr('href') ?? $(link).attr('src'))!)
  const forms = $('form[method=post i]')
    .toArray()
    .map((element): PageForm => {
      const id = $(element).attr('id')
      const outside = id === undefined ? $() : $(`[form="${id}"]`)
      const [button] = $(element)
        .find('button[name]')
        .add(outside.filter('button[name]'))
        .not('[formnovalidate]')
        .toArray()
      const pressed: [string, string][] =
        button === undefined ? [] : [[$(button).attr('name')!, $(button).attr('value') ?? '']]
      const fields = $(element)
        .add(outside)
        .serializeArray()
        .map(({ name, value }): [string, string] => [name, value])
      return { action: $(element).attr('action'), fields: [...fields, ...pressed] }
    })
  return { links, forms }
}

/** Fills in the fields that a browser requires before it sends a form. */
function enterRequired($: CheerioAPI): void {
  for (const element of $('input[required], textarea[required]')) {
    const type = $(element).attr('type') ?? 'text'
    if (type === 'checkbox' || type === 'radio') $(element).attr('checked', '')
    else if ($(element).val() === '' || $(element).val() === undefined) $(element).val(ENTERED[type] ?? 'Ana')
  }
  for (const element of $('select[required]'))
    if (($(element).val() ?? '') === '') $(element).find('option[value!=""]').first().attr('selected', '')
}

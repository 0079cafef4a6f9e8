import { address, origin, text } from '../../parsers.ts'
import { setting, topic } from '../../setting.ts'

/** Our app at an accounting program, and the origin of its API. */
export type BooksApp = { clientId: string; clientSecret: string; apiUrl: string }

export type BooksConfig = { quickbooks: BooksApp | null; xero: BooksApp | null }

const missingMessage = (name: string): string => `${name} is missing: an app needs both an ID and a secret`

/** Declares the three settings of one program. */
function appSettings(prefix: string, name: string, apiUrl: string) {
  const [id, secret] = [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`]
  return {
    id: setting(id, {
      parse: text,
      default: null,
      requires: { [secret]: missingMessage(secret) },
      about: `Client ID of your app at ${name}; owners can then connect their company.`,
      more: 'Register `BASE_URL/books/callback` there as its redirect URI.',
    }),
    secret: setting(secret, {
      parse: text,
      default: null,
      isSecret: true,
      requires: { [id]: missingMessage(id) },
      about: 'Client secret of that app.',
    }),
    apiUrl: setting(`${prefix}_API_URL`, {
      parse: (value, setting) => origin(address(value, setting), setting),
      default: apiUrl,
      about: `Origin of ${name}'s API.`,
      more: "Any other host replaces all of the program's hosts, as in tests.",
    }),
  }
}

const quickbooks = appSettings('QUICKBOOKS', 'Intuit', 'https://quickbooks.api.intuit.com')
const xero = appSettings('XERO', 'Xero', 'https://api.xero.com')

export const books = topic(
  'Accounting programs',
  {
    quickbooksId: quickbooks.id,
    quickbooksSecret: quickbooks.secret,
    quickbooksUrl: quickbooks.apiUrl,
    xeroId: xero.id,
    xeroSecret: xero.secret,
    xeroUrl: xero.apiUrl,
  },
  ({ quickbooksId, quickbooksSecret, quickbooksUrl, xeroId, xeroSecret, xeroUrl }): { books: BooksConfig } => ({
    books: {
      quickbooks: toApp(quickbooksId, quickbooksSecret, quickbooksUrl),
      xero: toApp(xeroId, xeroSecret, xeroUrl),
    },
  }),
)

const toApp = (clientId: string | null, clientSecret: string | null, apiUrl: string): BooksApp | null =>
  clientId === null || clientSecret === null ? null : { clientId, clientSecret, apiUrl }

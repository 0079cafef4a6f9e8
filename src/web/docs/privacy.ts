import { html, type Html } from '../../platform/html/html.ts'
import { part } from '../../records/page/parts.ts'

/** Explains what data is stored, where, for how long, and how it is erased; public. */
export const privacy = (): Html => html`
<header class="page-head"><h1>Privacy</h1></header>
<p class="lead">This service keeps the books of field-service companies. The company that you deal with decides what is
  kept about you; whoever runs this service stores it for them.</p>
<div class="parts">
${storageHtml()}
${retentionHtml()}
</div>`

const retentionHtml = (): Html => html`
<div class="column">
${part(
  'How long',
  html`
  <ul class="points">
    <li>Records, messages and history stay as long as the company keeps them; tax law may ask for years.</li>
    <li>A session ends after 30 days without use, and after 90 days in all.</li>
    <li>What an app was allowed ends 60 days after its last use, and after 365 days in all.</li>
    <li>A customer's link ends after 90 days unless the company says otherwise.</li>
    <li>
      A message that belongs to no company goes after 90 days. The bytes of a payment event go after 400 days, unless
      the operator set another time.
    </li>
  </ul>`,
)}
${part(
  'How to erase',
  html`
  <ul class="points">
    <li>
      Ask the company: its members can correct and clear every field, delete photos, and take links back. Its owners can
      hand you all that there is about you, or erase it.
    </li>
    <li>
      Archiving hides a record and keeps it. Erasing takes names, addresses, messages and photos for good, former values
      too; numbers and amounts that bookkeeping needs stay. A backup that is restored erases them again.
    </li>
    <li>An owner ends a membership, a key or an app at once in Settings. Sessions end with the membership.</li>
    <li>A company that leaves takes everything along in one archive, from Settings, Data.</li>
  </ul>`,
)}
${part(
  'Assistants',
  html`
  <p>
    An assistant sees what the person who connected it may see, and no more than that person gave it. What customers
    wrote is marked as such for it. Settings, Connected apps, shows each one and takes it back; that counts from its
    next request on.
  </p>`,
)}
</div>`

const storageHtml = (): Html => html`
<div class="column">
${part(
  'What is stored',
  html`
  <ul class="points">
    <li>
      Of a company's customers: names, phone numbers, e-mail and postal addresses, notes, visits, quotes, invoices and
      payments; texts and mails with what was attached; photos of the work.
    </li>
    <li>Of its members: name, e-mail address, a hash of the password, language, working hours.</li>
    <li>Of every change: when it was made, by whom, with which key or app, and each field before and after.</li>
    <li>
      Of a link that a customer opens: how often, when, and from which network address. Of an acceptance also the name,
      the signature and the browser.
    </li>
    <li>Card numbers never: they are typed at the payments provider.</li>
  </ul>`,
)}
${part(
  'Where',
  html`
  <p>In the database and file storage of this service, which whoever runs it chose. Nothing is sent to the makers of the
    software, and no page loads anything from elsewhere.</p>
  <p>
    Texts, mails and payments pass through the providers that the operator set up. Records that an assistant reads go to
    the app that a member connected, under the rights that the member gave.
  </p>`,
)}
${part(
  'Cookies and logs',
  html`
  <p>
    Cookies only sign you in and keep forms yours. There is no tracking. The log has times, addresses of pages, network
    addresses and errors, and never what you typed, wrote or uploaded.
  </p>`,
)}
</div>`

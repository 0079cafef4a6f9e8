import { html, type Html } from '../../platform/html/html.ts'
import { part } from '../../records/page/parts.ts'

/** Explains what data is stored, where, for how long, and how it is erased; public. */
export const privacy = (): Html => html`
<header class="page-head"><h1>Privacy</h1></header>
<p class="lead">This service keeps records for field-service companies. The company you deal with decides what is
  kept about you; the operator of this service stores it for them.</p>
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
    <li>Records, messages and history stay as long as the company keeps them; tax law may require years.</li>
    <li>A session ends after 30 days without use, and after 90 days in total.</li>
    <li>An app's access ends 60 days after its last use, and after 365 days in total.</li>
    <li>A customer's link expires after 90 days unless the company chooses otherwise.</li>
    <li>
      A message that belongs to no company is deleted after 90 days. The raw data of a payment event is deleted after
      400 days, unless the operator set a different time.
    </li>
  </ul>`,
)}
${part(
  'How to erase',
  html`
  <ul class="points">
    <li>
      Ask the company: its members can correct and clear every field, delete photos, and revoke links. Its owners can
      give you a copy of everything about you, or erase it.
    </li>
    <li>
      Archiving hides a record and keeps it. Erasing permanently removes names, addresses, messages and photos,
      including earlier values; numbers and amounts needed for bookkeeping stay. If a backup is restored, they are erased again.
    </li>
    <li>An owner can end a membership or revoke a key or an app at once in Settings. Sessions end with a membership.</li>
    <li>A company that leaves can download everything in one archive, from Settings, Data.</li>
  </ul>`,
)}
${part(
  'Assistants',
  html`
  <p>
    An assistant sees only what the person who connected it can see and chose to share. Text written by customers is
    marked as such. You can see and revoke each one in Settings, Connected apps; changes apply from its next
    request.
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
      Of a company's customers: names, phone numbers, email and postal addresses, notes, visits, quotes, invoices and
      payments; texts and emails with their attachments; photos of the work.
    </li>
    <li>Of its members: name, email address, a hash of the password, language, working hours.</li>
    <li>Of every change: when and by whom it was made, with which key or app, and each field before and after.</li>
    <li>
      Of a link that a customer opens: how often, when, and from which network address. Of an acceptance, also the
      name, the signature and the browser.
    </li>
    <li>Never card numbers: customers enter them on the payments provider's page.</li>
  </ul>`,
)}
${part(
  'Where',
  html`
  <p>In the database and file storage that the operator of this service chose. Nothing is sent to the makers of the
    software, and no page loads anything from other sites.</p>
  <p>
    Texts, emails and payments pass through the providers that the operator set up. Records that an assistant reads go
    to the app that a member connected, with the access that the member gave it.
  </p>`,
)}
${part(
  'Cookies and logs',
  html`
  <p>
    Cookies only keep you signed in and protect forms. There is no tracking. The log has times, page addresses, network
    addresses and errors, and never what you typed or uploaded.
  </p>`,
)}
</div>`
